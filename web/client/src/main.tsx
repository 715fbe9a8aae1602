import { createRoot } from "react-dom/client";
import { applyPreferences } from "./app/preferences.js";
import { Start } from "./app/Start.js";
import { listenForTouch } from "./sound/sounds.js";
import "./styles/all.css";

applyPreferences();
listenForTouch();
const root = document.getElementById("app");
if (root) createRoot(root).render(<Start />);
