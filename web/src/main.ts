import { mount } from "svelte";
import App from "./App.svelte";
import "./app.css";
import { preferredLanguage, setLanguage } from "$lib/i18n/messages.svelte";
import { initRouter } from "$lib/app/router.svelte";
import { initTheme } from "$lib/app/theme.svelte";

initTheme();
initRouter();
void setLanguage(preferredLanguage()).then(() => mount(App, { target: document.getElementById("page")! }));
