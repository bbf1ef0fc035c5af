"""The result of one benchmark: figures, their yardsticks, and the floors they must keep. It measures nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypedDict

from rich.box import SIMPLE_HEAD
from rich.table import Table


class RowData(TypedDict):
    """One row as ``--json`` writes it. Rates and sizes are in `unit`; `ratio` and `floor` are pure numbers."""

    name: str
    value: float
    unit: str
    yardstick: str | None
    yardstick_value: float | None
    ratio: float | None
    floor: float | None
    ok: bool


class ReportData(TypedDict):
    """One report as ``--json`` writes it."""

    name: str
    rows: list[RowData]
    notes: list[str]
    ok: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One figure, beside its yardstick from the same run.

    Machines differ and drift, so a figure alone says little: what is held is its ratio to the yardstick.

    Attributes:
        name: what was measured.
        value: the figure, in `unit`; more is better wherever a floor is set.
        unit: the unit of `value` and of `yardstick_value`, such as "actions/s".
        yardstick: what the figure is measured against; None for a figure that is only printed.
        yardstick_value: the yardstick's own figure in the same unit and the same run; above 0.
        floor: the least ratio that passes; None if the ratio is only printed.

    Raises:
        ValueError: for half a yardstick, a yardstick that is not above 0, or a floor without a yardstick.

    >>> row = Row(name="play", value=30.0, unit="moves/s", yardstick="empty loop", yardstick_value=40.0, floor=0.8)
    >>> row.ratio, row.ok
    (0.75, False)
    """

    name: str
    value: float
    unit: str
    yardstick: str | None = None
    yardstick_value: float | None = None
    floor: float | None = None

    def __post_init__(self) -> None:
        """Refuse a row whose ratio could not be computed."""
        if (self.yardstick is None) != (self.yardstick_value is None):
            raise ValueError(f"{self.name!r} has half a yardstick: give its name and its value, or neither")
        if self.yardstick_value is not None and not self.yardstick_value > 0:
            raise ValueError(f"the yardstick of {self.name!r} is {self.yardstick_value!r}: it must be above 0")
        if self.floor is not None and self.yardstick_value is None:
            raise ValueError(f"{self.name!r} has a floor of {self.floor!r} and no yardstick: a floor bounds a ratio")

    @property
    def ratio(self) -> float | None:
        """The figure in parts of its yardstick; None without one."""
        return None if self.yardstick_value is None else self.value / self.yardstick_value

    @property
    def ok(self) -> bool:
        """Whether the ratio keeps its floor; a row without a floor always does."""
        return self.floor is None or (self.ratio is not None and self.ratio >= self.floor)

    def data(self) -> RowData:
        """Give the row as plain data for JSON."""
        return RowData(
            name=self.name,
            value=self.value,
            unit=self.unit,
            yardstick=self.yardstick,
            yardstick_value=self.yardstick_value,
            ratio=self.ratio,
            floor=self.floor,
            ok=self.ok,
        )


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that one benchmark found in one run.

    Attributes:
        name: the benchmark's name, as on the command line.
        rows: its figures, in the order in which they are shown.
        notes: sentences printed below the table: what was measured, and what the figures leave out.
    """

    name: str
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether every floor is kept."""
        return all(row.ok for row in self.rows)

    def data(self) -> ReportData:
        """Give the report as plain data for JSON."""
        return ReportData(
            name=self.name,
            rows=[row.data() for row in self.rows],
            notes=list(self.notes),
            ok=self.ok,
        )

    def table(self) -> Table:
        """Draw the report for people: figure, yardstick, ratio and floor, a row each."""
        table = Table(title=self.name, caption="\n".join(self.notes) or None, caption_justify="left", box=SIMPLE_HEAD)
        table.add_column("measured")
        table.add_column("figure", justify="right")
        table.add_column("yardstick", justify="right")
        table.add_column("ratio", justify="right", no_wrap=True)
        table.add_column("floor", justify="right", no_wrap=True)
        table.add_column("", no_wrap=True)
        for row in self.rows:
            table.add_row(*_cells(row), style=None if row.ok else "bold red")
        return table


def _cells(row: Row) -> tuple[str, ...]:
    """Write one row of the table; what a row does not have stays empty."""
    return (
        row.name,
        f"{_number(row.value)} {row.unit}",
        "" if row.yardstick_value is None else f"{row.yardstick}: {_number(row.yardstick_value)}",
        "" if row.ratio is None else _ratio(row.ratio),
        "" if row.floor is None else f"≥ {_ratio(row.floor)}",
        "" if row.floor is None else ("kept" if row.ok else "MISSED"),
    )


def _number(value: float) -> str:
    """Write a figure: whole numbers from a hundred up, three significant digits below."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def _ratio(value: float) -> str:
    """Write a ratio: per cent up to 100 %, from there a factor."""
    return f"{value:.3g}×" if value > 1 else f"{value * 100:.3g} %"
