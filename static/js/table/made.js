/* What a mark says of a board that was played: the tricks of N-S, "8", or in points what each side
 * won, "120-40". Nothing in this file knows the page.
 */

export function madeOf(mark) {
  const [ns, ew] = mark.split("-");
  return { ns: Number(ns), ew: ew === undefined ? 13 - Number(ns) : Number(ew) };
}
