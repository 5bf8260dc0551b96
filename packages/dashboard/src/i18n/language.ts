import i18next from 'i18next';
import { useSyncExternalStore } from 'react';
import { recall, remember } from '../app/browser-memory.ts';

export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;

export type Language = keyof typeof LANGUAGES;

const KEPT_AT = 'seathold.language';

/** Starts with the previously chosen language, or otherwise that of the browser. */
export async function startMessages(): Promise<void> {
  const kept = recall(KEPT_AT) ?? navigator.language.slice(0, 2);
  const lng: Language = kept === 'de' ? 'de' : 'en';
  document.documentElement.lang = lng;
  // React escapes what it shows.
  await i18next.init({ lng, fallbackLng: 'en', interpolation: { escapeValue: false } });
}

/** Changes the language of everything that is shown, and remembers it. */
export async function chooseLanguage(language: Language): Promise<void> {
  remember(KEPT_AT, language);
  document.documentElement.lang = language;
  await i18next.changeLanguage(language);
}

/** The language in use. */
export function useLanguage(): Language {
  return useSyncExternalStore(subscribe, () => (i18next.language === 'de' ? 'de' : 'en'));
}

function subscribe(listener: () => void): () => void {
  i18next.on('languageChanged', listener);
  return () => i18next.off('languageChanged', listener);
}
