/* News about changes by others: names of texts, with their values. */

const MAX_NEWS = 5;
export const news = [];

export function tell(...found) {
  news.push(...found);
  news.splice(0, news.length - MAX_NEWS);
}

/* Add news without values, unless it is already the latest. */
export function tellOnce(word) {
  const last = news[news.length - 1];
  if (!last || last[0] !== word) tell([word, {}]);
}

export function forgetNews(isForgotten = function () { return true; }) {
  const rest = news.filter(function (one) { return !isForgotten(one); });
  news.splice(0, news.length, ...rest);
}
