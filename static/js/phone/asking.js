/* One question to the server, or one act sent to it; and how long to wait after a failure. */

let later = 0; // seconds after which the server, which lacks something, wants to be asked again

/* Answers null when the connection is down: an act stays where it is. `nowhere` are the words for
 * an address that there is not. */
export async function send(fields, nowhere) {
  const stop = new AbortController();
  const clock = setTimeout(function () { stop.abort(); }, 10000);
  try {
    const response = await fetch(location.pathname, {
      method: fields ? "POST" : "GET",
      body: fields ? new URLSearchParams(fields) : undefined,
      headers: { Accept: "application/json" },
      credentials: "omit",
      cache: "no-store",
      signal: stop.signal,
    });
    later = response.status >= 500 ? Number(response.headers.get("Retry-After")) || 0 : 0;
    if (response.status >= 500) return null; // it is not stored: it waits here
    const isJson = (response.headers.get("Content-Type") || "").includes("json");
    if (response.status === 404) return { status: 410, data: { detail: nowhere } };
    if (!isJson) return null;
    return { status: response.status, data: await response.json() };
  } catch (error) {
    later = 0;
    return null;
  } finally {
    clearTimeout(clock);
  }
}

/* Milliseconds between two requests of a closed page, which learns from them that it is open again. */
export const WHILE_CLOSED = 60000;

/* Milliseconds until the next attempt; not all phones of a hall come back in the same moment. */
export function pause(failures) {
  if (later) return later * 1000 * (0.7 + 0.6 * Math.random());
  return Math.min(1000 * 2 ** (failures - 1), 8000);
}
