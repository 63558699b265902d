/** What went wrong, in words a player understands and in the language of the page. */
import { ApiError } from "./api";
import { currentLanguage, t } from "./messages.svelte";

export function errorMessage(caught: unknown): string {
  if (!(caught instanceof ApiError)) return t("error.unexpected");
  const said = t(`error.${caught.code}`);
  // Where the player wrote something wrong, with what exactly, if they read the server's language.
  const precise = (caught.code === "unreadable" || caught.code === "illegal") && currentLanguage() === "en";
  return precise && caught.detail ? `${said} (${caught.detail})` : said;
}
