/** The texts in a file: itself, or those of an archive (.zip). Unpacks in slices, within bounds; reads no game. */

import { BadText } from "./read.js";

/** The most that is read of a file, and that the texts of an archive may have together once they are unpacked. */
export const BYTES_MAX = 256 * 2 ** 20;

/** How much is taken from a file at once. */
const SLICE_BYTES = 2 ** 18;

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const STORED = 0;
const DEFLATED = 8;
const ENTRIES_MAX = 20_000;

/** A size for people. */
export const megabytes = (bytes) => `${(bytes / 2 ** 20).toFixed(bytes < 2 ** 20 ? 2 : 0)} MB`;

/** Refuse a file that is too large, before any of it is read. */
export function checkSize(file) {
  if (file.size === 0) throw new BadText("this file is empty");
  if (file.size <= BYTES_MAX) return;
  throw new BadText(
    `this file has ${megabytes(file.size)}, and at most ${megabytes(BYTES_MAX)} are read here: skyjo verify reads any size`,
  );
}

/**
 * The texts of a file, one after another.
 *
 * @param {Blob} file
 * @yields {{name: string|null, chunks: AsyncIterable<Uint8Array>}} the name inside an archive, null for the file itself.
 */
export async function* textsIn(file) {
  checkSize(file);
  const head = await viewOf(file, 0, Math.min(4, file.size));
  if (head.byteLength < 4 || head.getUint32(0, true) !== LOCAL) {
    yield { name: null, chunks: slices(file) };
    return;
  }
  const budget = { bytes: BYTES_MAX };
  for (const entry of withGames(await directory(file))) yield { name: entry.name, chunks: unpacked(file, entry, budget) };
}

/** The entries that hold games. A tournament's archive has each twice, as lines and as a transcript: the lines will do. */
function withGames(entries) {
  const lines = entries.filter(({ name }) => name === "games.jsonl");
  if (lines.length > 0) return lines;
  return entries.filter(({ name }) => /\.(?:jsonl|skyjo)$/.test(name) && name !== "log.jsonl");
}

const viewOf = async (file, start, end) => new DataView(await file.slice(start, end).arrayBuffer());

async function* slices(file) {
  for (let at = 0; at < file.size; at += SLICE_BYTES) {
    yield new Uint8Array(await file.slice(at, at + SLICE_BYTES).arrayBuffer());
  }
}

/** The entries of an archive, from the directory at its end. */
async function directory(file) {
  const tail = await viewOf(file, Math.max(0, file.size - 65_557), file.size);
  let at = tail.byteLength - 22;
  while (at >= 0 && tail.getUint32(at, true) !== END) at -= 1;
  if (at < 0) throw new BadText("this archive is damaged: it has no directory");
  const [count, size, start] = [tail.getUint16(at + 10, true), tail.getUint32(at + 12, true), tail.getUint32(at + 16, true)];
  if (count > ENTRIES_MAX || start + size > file.size) throw new BadText("this archive is damaged, or too large to be read here");
  return entriesOf(await viewOf(file, start, start + size), count);
}

function entriesOf(view, count) {
  const entries = [];
  for (let at = 0; entries.length < count; ) {
    if (at + 46 > view.byteLength || view.getUint32(at, true) !== CENTRAL) throw new BadText("this archive's directory is damaged");
    const length = view.getUint16(at + 28, true);
    const more = view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    if (at + 46 + length > view.byteLength) throw new BadText("this archive's directory is damaged");
    entries.push({
      method: view.getUint16(at + 10, true),
      packed: view.getUint32(at + 20, true),
      offset: view.getUint32(at + 42, true),
      name: new TextDecoder().decode(new Uint8Array(view.buffer, at + 46, length)),
    });
    at += 46 + length + more;
  }
  return entries;
}

/** An entry's bytes as they are unpacked; all entries draw on one budget, so that no small archive becomes a huge text. */
async function* unpacked(file, { method, packed, offset, name }, budget) {
  if (method !== STORED && method !== DEFLATED) throw new BadText(`${name} is packed in a way that is not known here`);
  const head = await viewOf(file, offset, offset + 30);
  if (head.byteLength < 30 || head.getUint32(0, true) !== LOCAL) throw new BadText(`${name} is not where the archive says`);
  const start = offset + 30 + head.getUint16(26, true) + head.getUint16(28, true);
  const stream = file.slice(start, start + packed).stream();
  const reader = (method === STORED ? stream : stream.pipeThrough(new DecompressionStream("deflate-raw"))).getReader();
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw new BadText(`${name} cannot be unpacked: the archive is damaged`);
    });
    if (done) return;
    budget.bytes -= value.length;
    if (budget.bytes < 0) {
      await reader.cancel();
      throw new BadText(`the texts of this archive have more than ${megabytes(BYTES_MAX)}: skyjo verify reads any size`);
    }
    yield value;
  }
}
