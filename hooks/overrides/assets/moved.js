// Where did a place go that an old link names? The page carries the list of what has moved from it.
"use strict";

{
  const list = document.getElementById("moved-places");

  const follow = () => {
    const id = location.hash.slice(1);
    /** @type {Record<string, string>} */
    const moved = JSON.parse((list && list.textContent) || "{}");
    if (id && Object.hasOwn(moved, id) && !document.getElementById(id)) location.replace(moved[id]);
  };

  addEventListener("hashchange", follow);
  follow();
}
