/* What others have changed at the table: names of words, with their values. */

const MAX_NEWS = 5;
export const news = [];

export function tell(...found) {
  news.push(...found);
  news.splice(0, news.length - MAX_NEWS);
}

/* Tell something without values, once however often it is seen. */
export function tellOnce(word) {
  if (news.at(-1)?.[0] !== word) tell([word, {}]);
}

export function forgetNews(isForgotten = function () { return true; }) {
  const rest = news.filter(function (one) { return !isForgotten(one); });
  news.splice(0, news.length, ...rest);
}
