import { mount } from "svelte";
import App from "./App.svelte";
import "./app.css";
import { preferredLanguage, setLanguage } from "$lib/i18n/messages.svelte";
import { startRouter } from "$lib/app/router.svelte";
import { startTheme } from "$lib/app/theme.svelte";

startTheme();
startRouter();
await setLanguage(preferredLanguage());
mount(App, { target: document.getElementById("page")! });
