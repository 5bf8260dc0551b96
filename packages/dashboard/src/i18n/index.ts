export { defineMessages } from './define-messages.ts';
export { chooseLanguage, LANGUAGES, type Language, startMessages, useLanguage } from './language.ts';
