import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import type { Catalogue, CatalogueDifference } from '@seathold/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { personalApi } from '../../api/index.ts';
import { Command } from '../../app/command.tsx';
import { ConfirmDialog, Loaded, Page, Problem, Section, useAction } from '../../ui/index.ts';
import { GuardedButton } from '../frame/index.ts';
import { Difference } from './difference.tsx';
import { useCatalogueText } from './messages.ts';
import { parseCatalogue } from './parse-catalogue.ts';

/** The plans, coupons, products and meters, edited as a whole, with a preview of the changes. */
export function CatalogueScreen() {
  const t = useCatalogueText();
  const query = useQuery({
    queryKey: ['staff', 'catalogue'],
    queryFn: () => personalApi().operator.getCatalog(),
    // Text being edited must not be replaced.
    refetchOnWindowFocus: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  return (
    <Page title={t('title')} about={t('about')}>
      <Loaded query={query} height={560}>
        {(catalogue) => <Editor key={JSON.stringify(catalogue)} catalogue={catalogue} />}
      </Loaded>
      <Section title={t('by_command')}>
        <Command text={'seathold catalog show > catalogue.yaml\nseathold catalog apply catalogue.yaml --dry-run'} />
      </Section>
    </Page>
  );
}

function Editor({ catalogue }: { catalogue: Catalogue }) {
  const t = useCatalogueText();
  const present = JSON.stringify(catalogue, undefined, 2);
  const [text, setText] = useState(present);
  const [isApplying, setApplying] = useState(false);
  const parsed = parseCatalogue(text);
  const compare = useAction((wanted: Catalogue) => personalApi().operator.replaceCatalog(wanted, { dry_run: 'true' }));
  const apply = useApply();
  const edit = (to: string) => {
    setText(to);
    // Otherwise, an outdated difference would be applied.
    compare.reset();
  };
  return (
    <Stack gap="lg">
      <Textarea
        label={t('catalogue')}
        description={t('hint')}
        rows={22}
        spellCheck={false}
        autoComplete="off"
        value={text}
        onChange={({ currentTarget }) => edit(currentTarget.value)}
        error={parsed.kind === 'wrong' ? t('no_json', { message: parsed.message }) : undefined}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: '0.8125rem' } }}
      />
      <Group gap="xs">
        <GuardedButton
          needs="owner"
          disabled={parsed.kind === 'wrong' || text === present}
          loading={compare.isPending}
          onClick={() => parsed.kind === 'catalogue' && compare.mutate(parsed.catalogue)}
        >
          {t('compare')}
        </GuardedButton>
        <Button variant="default" disabled={text === present} onClick={() => edit(present)}>
          {t('undo')}
        </Button>
      </Group>
      {compare.isError && <Problem error={compare.error} />}
      {compare.data !== undefined && <Proposal difference={compare.data} apply={() => setApplying(true)} />}
      {parsed.kind === 'catalogue' && (
        <ConfirmDialog
          title={t('apply_title')}
          text={t('apply_text', { count: compare.data?.changes.length ?? 0 })}
          submit={t('apply')}
          isOpen={isApplying}
          close={() => setApplying(false)}
          action={apply}
          input={parsed.catalogue}
        />
      )}
    </Stack>
  );
}

function useApply() {
  const t = useCatalogueText();
  return useAction((wanted: Catalogue) => personalApi().operator.replaceCatalog(wanted), {
    refreshes: [
      ['staff', 'catalogue'],
      ['staff', 'products'],
    ],
    says: ({ changes }) => t('applied', { count: changes.length }),
  });
}

/** What would change, and the button that does it. */
function Proposal({ difference: { changes }, apply }: { difference: CatalogueDifference; apply: () => void }) {
  const t = useCatalogueText();
  if (changes.length === 0) {
    return (
      <Section>
        <Text size="sm" role="status">
          {t('no_changes')}
        </Text>
      </Section>
    );
  }
  return (
    <Section
      title={t('difference')}
      actions={
        <GuardedButton needs="owner" size="xs" onClick={apply}>
          {t('apply')}
        </GuardedButton>
      }
    >
      <Difference changes={changes} />
    </Section>
  );
}
