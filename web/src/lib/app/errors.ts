/**
 * What went wrong, in words a player understands and in the language of the page. Whoever shows it keeps what was caught and asks for its
 * words where they are shown, so that it is said anew when the language changes.
 */
import { ApiError } from "$lib/api";
import { currentLanguage, t, type MessageKey, type Values } from "$lib/i18n/messages.svelte";

/** Something that the page itself found wrong, by the message that says so. */
export class PageError extends Error {
  constructor(
    readonly key: MessageKey,
    readonly values: Values = {},
  ) {
    super(key);
  }
}

export function errorMessage(caught: unknown): string {
  if (caught instanceof PageError) return t(caught.key, caught.values);
  if (!(caught instanceof ApiError)) return t("error.unexpected");
  const said = t(`error.${caught.code}`);
  // Where the player wrote something wrong, with what exactly, if they read the server's language.
  const precise = (caught.code === "invalid" || caught.code === "illegal") && currentLanguage() === "en";
  return precise && caught.detail ? `${said} (${caught.detail})` : said;
}
