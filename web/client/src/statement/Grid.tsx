import type { ReactNode } from "react";

export interface Head {
  readonly name: string;
  /** Written from the right. */
  readonly number?: boolean;
}

interface Props {
  readonly caption: string;
  readonly heads: readonly Head[];
  readonly rows: readonly { readonly key: string; readonly cells: readonly ReactNode[] }[];
  readonly foot?: readonly ReactNode[];
  readonly testId: string;
}

/** A table that may be wider than its place: then it is moved in it, by keys too. */
export function Grid({ caption, heads, rows, foot, testId }: Props) {
  const styled = (place: number) => (heads[place]?.number ? "number" : undefined);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys
    <section className="grid-scroll" aria-label={caption} tabIndex={0}>
      <table className="grid" data-testid={testId}>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {heads.map(({ name }, place) => (
              <th key={name} scope="col" className={styled(place)}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells }) => (
            <tr key={key}>
              {cells.map((cell, place) => (
                <td key={heads[place]?.name} className={styled(place)}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        {foot && (
          <tfoot>
            <tr>
              {foot.map((cell, place) => (
                <td key={heads[place]?.name} className={styled(place)}>
                  {cell}
                </td>
              ))}
            </tr>
          </tfoot>
        )}
      </table>
    </section>
  );
}
