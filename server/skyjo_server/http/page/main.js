/** Where the page begins: defines its elements. Shows nothing itself. */

import "./ui/app.js";
