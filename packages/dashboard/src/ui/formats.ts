/**
 * Remembers formats: creating one takes a hundred times as long as formatting with it, and a list formats several values
 * for each row.
 */
function remember<Options extends object, Format>(
  create: (language: string, options: Options) => Format,
): (language: string, options: Options) => Format {
  const known = new Map<string, Format>();
  return (language, options) => {
    const key = `${language} ${JSON.stringify(options)}`;
    const format = known.get(key) ?? create(language, options);
    known.set(key, format);
    return format;
  };
}

export const dateFormat = remember(
  (language, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(language, options),
);

export const numberFormat = remember(
  (language, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(language, options),
);

export const relativeTimeFormat = remember(
  (language, options: Intl.RelativeTimeFormatOptions) => new Intl.RelativeTimeFormat(language, options),
);
