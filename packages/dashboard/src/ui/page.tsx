import { Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { Fragment, type ReactNode, useEffect } from 'react';
import { actingFor } from '../api/index.ts';
import { useFacts } from '../app/facts.ts';
import { useUiText } from './messages.ts';
import { Problem } from './problem.tsx';

/** A screen: its title, description, and actions. */
export function Page(props: { title: string; about?: ReactNode; actions?: ReactNode; children: ReactNode }) {
  const { title, about, actions, children } = props;
  useTitle(title);
  return (
    <Stack gap="lg">
      <Group justify="space-between" align="flex-start" gap="sm">
        <div style={{ minWidth: 0, flex: '1 1 16rem' }}>
          <Title order={1} style={{ overflowWrap: 'anywhere' }}>
            <Breakable text={title} />
          </Title>
          {about !== undefined && (
            <Text component="div" c="dimmed" size="sm" mt={4}>
              {about}
            </Text>
          )}
        </div>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
}

/** Long addresses break after a slash, not within a word. */
function Breakable({ text }: { text: string }) {
  return text.split(/(?<=\/)/).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have nothing but their place.
    <Fragment key={at}>
      {part}
      <wbr />
    </Fragment>
  ));
}

/** Sets the title of the browser's tab. */
export function useTitle(title: string): void {
  const t = useUiText();
  const { brand, environment } = useFacts();
  const shown = actingFor === undefined ? title : t('acting', { title });
  useEffect(() => {
    document.title = `${shown} – ${brand.name}${environment === 'sandbox' ? ' sandbox' : ''}`;
  }, [shown, brand.name, environment]);
}

/** A part of a screen in a frame. */
export function Section(props: { title?: string; actions?: ReactNode; children: ReactNode; isFlush?: boolean }) {
  const { title, actions, children, isFlush = false } = props;
  return (
    <div className="card">
      {(title !== undefined || actions !== undefined) && (
        <Group justify="space-between" px="md" pt="sm" pb={isFlush ? 'xs' : 0} gap="xs">
          <Title order={2} size="h4">
            {title}
          </Title>
          {actions}
        </Group>
      )}
      <div style={{ padding: isFlush ? 0 : 'var(--mantine-spacing-md)' }}>{children}</div>
    </div>
  );
}

/** Shows the result of a query: a skeleton of the same height while loading, or the problem if it failed. */
export function Loaded<Data>(props: {
  query: UseQueryResult<Data>;
  height?: number;
  children: (data: Data) => ReactNode;
}) {
  const { query, height = 160, children } = props;
  if (query.data !== undefined) {
    return children(query.data);
  }
  return query.isError ? (
    <Problem error={query.error} retry={() => void query.refetch()} />
  ) : (
    <Skeleton height={height} radius="md" />
  );
}

/** Names and values side by side. */
export function FactList({ facts }: { facts: ReadonlyArray<readonly [name: string, value: ReactNode]> }) {
  return (
    <dl className="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
