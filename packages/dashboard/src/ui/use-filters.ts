import { useLocation, useNavigate, useSearch } from '@tanstack/react-router';

/** The router parses such values as JSON; in quotes, they stay text. */
const LOOKS_LIKE_JSON = /^[-\d"[{]|^(?:true|false|null)$/;

/** The filters of a list in the URL, so that a link shows the same list; empty ones are omitted. */
export function useFilters<Name extends string>(
  names: readonly Name[],
): readonly [filters: Partial<Record<Name, string>>, choose: (filters: Partial<Record<Name, string>>) => void] {
  const search: Record<string, unknown> = useSearch({ strict: false });
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const filters: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const value = search[name];
    if (value !== undefined && value !== '') {
      filters[name] = String(value);
    }
  }
  const choose = (chosen: Partial<Record<Name, string>>) => {
    const given = names.flatMap((name) => {
      const value = chosen[name]?.trim() ?? '';
      return value === '' ? [] : [[name, LOOKS_LIKE_JSON.test(value) ? JSON.stringify(value) : value]];
    });
    void navigate({
      href: given.length === 0 ? pathname : `${pathname}?${new URLSearchParams(given)}`,
      resetScroll: false,
    });
  };
  return [filters, choose];
}
