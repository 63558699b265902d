import { mount } from "svelte";
import App from "./App.svelte";
import "./app.css";
import { preferredLanguage, speak } from "$lib/messages.svelte";
import { startRouter } from "$lib/router.svelte";
import { startTheme } from "$lib/theme.svelte";

startTheme();
startRouter();
await speak(preferredLanguage());
mount(App, { target: document.getElementById("page")! });
