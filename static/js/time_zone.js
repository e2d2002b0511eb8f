/* A new club: the first guess of its time zone is that of the browser. */

const box = document.querySelector("[data-first-zone]");
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const known = [...document.querySelectorAll("#zones option")].map(function (each) { return each.value; });

if (box && box.value === box.dataset.firstZone && known.includes(zone)) box.value = zone;
