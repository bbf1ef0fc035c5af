// Takes the pages about money out of a lock file, so that it holds names, versions and digests and no address at all.
import { readFileSync, writeFileSync } from "node:fs";

const [, , path] = process.argv;
const lock = JSON.parse(readFileSync(path, "utf8"));
for (const entry of Object.values(lock.packages)) {
  delete entry.funding;
}
writeFileSync(path, JSON.stringify(lock, null, 2) + "\n");
