import { mount } from "svelte";
import App from "./App.svelte";
import "./app.css";
import { preferredLanguage, setLanguage } from "$lib/messages.svelte";
import { startRouter } from "$lib/router.svelte";
import { startTheme } from "$lib/theme.svelte";

startTheme();
startRouter();
await setLanguage(preferredLanguage());
mount(App, { target: document.getElementById("page")! });
