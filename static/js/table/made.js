/* Parse the mark of a played board: the tricks of N-S, "8", or in points what each side won, "120-40". This
 * module does not access the page.
 */

export function madeOf(mark) {
  const [ns, ew] = mark.split("-");
  return { ns: Number(ns), ew: ew === undefined ? 13 - Number(ns) : Number(ew) };
}
