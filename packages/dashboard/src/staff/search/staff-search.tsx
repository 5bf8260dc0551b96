import { Button, Kbd } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { lazy, Suspense } from 'react';
import { Icon } from '../../ui/index.ts';
import { useSearchText } from './messages.ts';

const SearchDialog = lazy(async () => ({ default: (await import('./search-dialog.tsx')).SearchDialog }));

const IS_MAC = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** The button and the shortcut of the staff's search. */
export function StaffSearch() {
  const t = useSearchText();
  const [isOpen, { open, close }] = useDisclosure(false);
  // Also while a field is focused.
  useHotkeys([['mod+K', open]], []);
  return (
    <>
      <Button
        variant="default"
        size="xs"
        leftSection={<Icon name="search" size={16} />}
        rightSection={
          <Kbd size="xs" visibleFrom="md" aria-hidden>
            {IS_MAC ? '⌘ K' : 'Ctrl K'}
          </Kbd>
        }
        aria-keyshortcuts="Control+K Meta+K"
        onClick={open}
      >
        <span className="search-label">{t('search')}</span>
      </Button>
      {isOpen && (
        <Suspense>
          <SearchDialog close={close} />
        </Suspense>
      )}
    </>
  );
}
