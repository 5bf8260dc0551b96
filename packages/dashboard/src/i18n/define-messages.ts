import i18next from 'i18next';
import { useLanguage } from './language.ts';

/** A message key without the plural suffix. */
type Key<Message extends string> = Message extends `${infer Name}_one` | `${infer Name}_other` ? Name : Message;

/** Returns the text of a message with its values; `count` selects singular or plural. */
export type Text<Message extends string> = (key: Key<Message>, values?: Record<string, string | number>) => string;

/**
 * The messages of one area, in every language. A message that a language lacks is a type error; the area's catalogue
 * test compares their placeholders. Returns the hook for their texts.
 */
export function defineMessages<const Message extends string>(
  area: string,
  messages: { en: Record<Message, string>; de: Record<NoInfer<Message>, string> },
): (() => Text<Message>) & { messages: typeof messages } {
  const useText = (): Text<Message> => {
    const lng = useLanguage();
    for (const [language, texts] of Object.entries(messages)) {
      if (!i18next.hasResourceBundle(language, area)) {
        i18next.addResourceBundle(language, area, texts);
      }
    }
    return (key, values) => {
      const name: string = key;
      const options: Record<string, unknown> = { ns: area, lng, ...values };
      return String(i18next.t(name, options));
    };
  };
  return Object.assign(useText, { messages });
}
