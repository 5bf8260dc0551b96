import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import type { FormEvent, ReactNode } from 'react';
import { EnvironmentBand } from '../app/environment-band.tsx';
import { useFacts } from '../app/facts.ts';
import { Problem, useTitle } from '../ui/index.ts';
import { useAccessText } from './messages.ts';

/** A page for people who are not logged in: one card, and nothing around it. */
export function Entry({ title, children }: { title: string; children: ReactNode }) {
  const t = useAccessText();
  const { brand, environment, sandbox_url: sandboxUrl } = useFacts();
  useTitle(title);
  return (
    <div className="entry">
      <EnvironmentBand />
      <main>
        <Group gap={10} mb="lg">
          <img src={brand.logo_url === '' ? '/favicon.svg' : brand.logo_url} alt="" height={32} />
          <Text fw={700} size="lg">
            {brand.name}
          </Text>
        </Group>
        <div className="card">
          <Title order={1} size="h3" mb="md">
            {title}
          </Title>
          {children}
        </div>
        {environment === 'production' && sandboxUrl !== null && (
          <Anchor size="sm" c="dimmed" mt="md" href={sandboxUrl}>
            {t('try_sandbox')}
          </Anchor>
        )}
      </main>
    </div>
  );
}

/** The form on such a page. */
export function EntryForm<Input, Output>(props: {
  action: UseMutationResult<Output, Error, Input>;
  read: (form: FormData) => Input;
  submit: string;
  children: ReactNode;
}) {
  const { action, read, submit, children } = props;
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    action.mutate(read(new FormData(event.currentTarget)));
  };
  return (
    <form onSubmit={send}>
      <Stack gap="md">
        {children}
        {action.isError && <Problem error={action.error} />}
        <Button type="submit" fullWidth px="xs" loading={action.isPending}>
          {submit}
        </Button>
      </Stack>
    </form>
  );
}

/** The text of a field of a form. */
export function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value.trim() : '';
}

/** A password as it was typed: spaces belong to it. */
export function passwordOf(form: FormData, name = 'password'): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}
