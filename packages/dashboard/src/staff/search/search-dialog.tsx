import { Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useId, useState } from 'react';
import { Dialog, Problem } from '../../ui/index.ts';
import { useUiText } from '../../ui/messages.ts';
import { type Found, findAnything } from './find-anything.ts';
import { useSearchText } from './messages.ts';
import './search.css';

const PAUSE_MS = 200;

/** Finds anything by any known detail, fully by keyboard, as a combobox with a list (WAI-ARIA). */
export function SearchDialog({ close }: { close: () => void }) {
  const t = useSearchText();
  const common = useUiText();
  const navigate = useNavigate();
  const list = useId();
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const [text] = useDebouncedValue(typed.trim(), PAUSE_MS);
  const query = useQuery({
    queryKey: ['staff', 'search', text],
    queryFn: ({ signal }) => findAnything(text, signal),
    enabled: text !== '',
    placeholderData: keepPreviousData,
  });
  const found = text === '' ? [] : (query.data ?? []);
  const chosen = found[Math.min(at, found.length - 1)];
  const isCurrent = typed.trim() === text && !query.isPlaceholderData;
  const go = (to: string) => {
    close();
    void navigate({ href: to });
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      setAt((Math.min(at, found.length - 1) + step + found.length) % Math.max(1, found.length));
    } else if (event.key === 'Enter' && chosen !== undefined && isCurrent) {
      event.preventDefault();
      go(chosen.to);
    }
  };
  return (
    <Dialog
      opened
      onClose={close}
      title={t('title')}
      size="lg"
      // At the top, so that it does not move when results appear.
      centered={false}
      closeButtonProps={{ 'aria-label': common('cancel') }}
    >
      <Stack gap="sm">
        <TextInput
          role="combobox"
          aria-expanded={found.length > 0}
          aria-controls={list}
          aria-activedescendant={chosen === undefined ? undefined : `${list}-${chosen.id}`}
          aria-autocomplete="list"
          aria-label={t('title')}
          placeholder={t('placeholder')}
          maxLength={200}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={({ currentTarget }) => {
            setTyped(currentTarget.value);
            setAt(0);
          }}
          onKeyDown={press}
          data-autofocus
        />
        {query.isError && <Problem error={query.error} retry={() => void query.refetch()} />}
        <Results id={list} found={found} chosen={chosen} go={go} />
        <Text size="sm" c="dimmed" role="status">
          <Summary text={text} count={found.length} isSearching={query.isFetching || typed.trim() !== text} />
        </Text>
      </Stack>
    </Dialog>
  );
}

function Summary({ text, count, isSearching }: { text: string; count: number; isSearching: boolean }) {
  const t = useSearchText();
  if (text === '' && !isSearching) {
    return t('hint');
  }
  if (isSearching) {
    return t('searching');
  }
  return count === 0 ? t('nothing', { text }) : t('found', { count });
}

function Results(props: { id: string; found: readonly Found[]; chosen: Found | undefined; go: (to: string) => void }) {
  const { id, found, chosen, go } = props;
  const t = useSearchText();
  return (
    <div id={id} role="listbox" aria-label={t('title')} className="search-results" hidden={found.length === 0}>
      {found.map((each) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the combobox, which keeps the focus.
        <div
          key={each.id}
          id={`${id}-${each.id}`}
          role="option"
          tabIndex={-1}
          aria-selected={each === chosen}
          className="search-result"
          onClick={() => go(each.to)}
        >
          <span className="search-kind">{t(each.kind)}</span>
          <span className="search-title" title={each.title}>
            {each.title}
          </span>
          <span className="search-note" title={each.note}>
            {each.note}
          </span>
        </div>
      ))}
    </div>
  );
}
