import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { type ErrorComponentProps, Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { actingFor } from '../api/index.ts';
import { useUiText } from '../ui/messages.ts';
import { Page } from '../ui/page.tsx';
import { Problem } from '../ui/problem.tsx';
import { reloadAfterUpgrade } from './lost-files.ts';

/** Shown instead of a screen that failed. */
export function ScreenFailure({ error, reset }: ErrorComponentProps) {
  const t = useUiText();
  useEffect(() => {
    reloadAfterUpgrade(error).catch(() => undefined);
  }, [error]);
  return (
    <Stack p="md" maw={640}>
      <Title order={1}>{t('broken')}</Title>
      <Problem error={error} retry={reset} />
      {actingFor !== undefined && (
        <Group>
          <Button component="a" href="/staff" variant="default">
            {t('to_staff')}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

/** The same inside the shell of a logged-in person. */
export function NothingHere() {
  const t = useUiText();
  return (
    <Page title={t('missing')} about={t('missing_hint')}>
      <Group>
        <Button component={Link} to="/" variant="default">
          {t('to_overview')}
        </Button>
      </Group>
    </Page>
  );
}

/** Shown for an unknown path. */
export function NotFoundScreen() {
  const t = useUiText();
  return (
    <Stack component="main" p="xl" maw={640} mx="auto">
      <Title order={1}>{t('missing')}</Title>
      <Text c="dimmed">{t('missing_hint')}</Text>
      <Group>
        <Button component={Link} to="/" variant="default">
          {t('to_overview')}
        </Button>
      </Group>
    </Stack>
  );
}
