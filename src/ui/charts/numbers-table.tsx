// The numbers of a chart as a table, newest first.
import { ScrollRegion } from "../components/controls.tsx";
import { counted, formatFixed, formatPercentRange, formatShare } from "../lib/format.ts";
import type { Figure } from "./figure.ts";
import { type Column, updatesOf } from "./numbers.ts";

const TABLE_ROWS = 200;

/** It stays in view while the numbers of several runs are scrolled past it. */
const UPDATE = "sticky left-0 bg-surface pr-4";

/** How a number of a table is written, so that a column aligns. */
function tableFormat(figure: Figure, unit: string): (value: number) => string {
  if (figure.share) return formatShare;
  // Timings of an update mean nothing below a hundredth of a second.
  return (value) => formatFixed(value, unit === "s" ? 2 : 4);
}

export function NumbersTable({ figure, columns }: { figure: Figure; columns: readonly Column[] }) {
  const updates = updatesOf(columns);
  const shown = updates.slice(-TABLE_ROWS).reverse();
  return (
    <>
      <p className="mb-2 text-dense text-muted">
        {updates.length > TABLE_ROWS
          ? `The last ${TABLE_ROWS} of ${counted(updates.length, "update")}, newest first, unsmoothed.`
          : "Every update, newest first, unsmoothed."}
        {figure.compared.length > 0 && " Updates are counted as this run counts them."}
      </p>
      <ScrollRegion name="Numbers" className="max-h-[60vh]">
        <table className="nums w-full text-dense">
          <thead className="sticky top-0 z-10 bg-surface text-left align-bottom">
            <tr>
              <th className={`${UPDATE} py-1`}>Update</th>
              {columns.map(({ label }) => (
                <th key={label} className="py-1 pr-4 text-right whitespace-nowrap" title={label}>
                  <Head label={label} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((update) => (
              <tr key={update} className="border-t border-line">
                <td className={`${UPDATE} py-1`}>{update}</td>
                {columns.map((column) => (
                  <td key={column.label} className="py-1 pr-4 text-right whitespace-nowrap">
                    <NumberCell column={column} update={update} write={tableFormat(figure, column.unit)} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </>
  );
}

/** The name of a run may be longer than a phone is wide; what kind of number it is stands whole below it. */
function Head({ label }: { label: string }) {
  const end = label.lastIndexOf(", ");
  const [name, kind] = end < 0 ? [label, ""] : [label.slice(0, end), label.slice(end + 2)];
  return (
    <>
      <span className="ml-auto block w-fit max-w-32 truncate sm:max-w-64">{kind ? `${name},` : name}</span>{" "}
      {kind}
    </>
  );
}

function NumberCell({
  column: { values, intervals },
  update,
  write,
}: {
  column: Column;
  update: number;
  write: (value: number) => string;
}) {
  const value = values.get(update);
  const interval = intervals?.get(update);
  if (value === undefined) return null;
  return (
    <>
      {write(value)}
      {interval && (
        <span className="text-caption text-muted max-sm:block" title="95 % interval">
          {" "}
          ({formatPercentRange(...interval)})
        </span>
      )}
    </>
  );
}
