/* Requests to the server, and the waiting time after a failure. */

let later = 0; // the server's last Retry-After value in seconds

/* Send a request; return null without a connection, and the caller keeps the action. `nowhere` is the message
 * for a link that does not exist.
 */
export async function send(fields, nowhere) {
  const stop = new AbortController();
  const clock = setTimeout(function () { stop.abort(); }, 10000);
  try {
    const response = await fetch(location.pathname, {
      method: fields ? "POST" : "GET",
      body: fields ? new URLSearchParams(fields) : undefined,
      // Cookies are omitted, so the reader’s language is a header.
      headers: { Accept: "application/json", "Accept-Language": document.documentElement.lang },
      credentials: "omit",
      cache: "no-store",
      signal: stop.signal,
    });
    later = response.status >= 500 ? Number(response.headers.get("Retry-After")) || 0 : 0;
    if (response.status >= 500) return null; // the server did not store it, so it stays in the queue
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

/* Milliseconds between two requests of a closed page, which notices in this way that it is open again. */
export const WHILE_CLOSED = 60000;

/* Return the milliseconds until the next attempt, random so that phones do not retry at the same moment. */
export function pause(failures) {
  if (later) return later * 1000 * (0.7 + 0.6 * Math.random());
  return Math.min(1000 * 2 ** (failures - 1), 8000);
}
