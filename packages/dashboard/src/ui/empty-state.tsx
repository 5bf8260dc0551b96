import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon, type IconName } from './icons.tsx';

/** The text of an empty list, and the button or command that fills it. */
export function EmptyState(props: {
  icon: IconName;
  title: string;
  text: string;
  /** 1 if it replaces a whole screen. */
  level?: 1 | 2;
  children?: ReactNode;
}) {
  const { icon, title, text, level = 2, children } = props;
  return (
    <Stack align="center" gap={6} px="md" py={48} ta="center">
      <Text c="dimmed" component="span" lh={0}>
        <Icon name={icon} size={32} />
      </Text>
      <Title order={level} size="h4" mt={8}>
        {title}
      </Title>
      <Text c="dimmed" size="sm" maw={440}>
        {text}
      </Text>
      {children !== undefined && <div style={{ marginTop: 12, maxWidth: '100%', textAlign: 'left' }}>{children}</div>}
    </Stack>
  );
}
