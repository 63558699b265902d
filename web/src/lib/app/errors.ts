/**
 * Error messages for players, in the language of the page. Components store the caught error and call `errorMessage` in their markup, so
 * that the message changes with the language.
 */
import { ApiError } from "$lib/api";
import { currentLanguage, t, type MessageKey, type Values } from "$lib/i18n/messages.svelte";

/** An error that the page itself detects. The key names its message. */
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
  const message = t(`error.${caught.code}`);
  // Name the mistake in what the player wrote. The server's details are in English only.
  const showDetail = (caught.code === "invalid" || caught.code === "illegal") && currentLanguage() === "en";
  return showDetail && caught.detail ? `${message} (${caught.detail})` : message;
}
