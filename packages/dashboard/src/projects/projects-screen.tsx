import { Button, Group, Text } from '@mantine/core';
import type { Project } from '@seathold/client';
import { useState } from 'react';
import { api, useList } from '../api/index.ts';
import {
  ACTIONS,
  type Column,
  ConfirmDialog,
  CopyId,
  DataTable,
  EmptyState,
  Page,
  Status,
  StatusFilter,
  Time,
  useAction,
  useStatus,
} from '../ui/index.ts';
import { useProjectsText } from './messages.ts';
import { CreateProject, EditProject } from './project-dialog.tsx';
import { ProjectUsage } from './project-usage.tsx';

const STATUSES = ['active', 'archived'] as const;

/** The projects that an organization's sessions are counted for. */
export function ProjectsScreen() {
  const t = useProjectsText();
  const [status, choose] = useStatus(STATUSES);
  const [isCreating, setCreating] = useState(false);
  const [editing, setEditing] = useState<Project>();
  const [deleting, setDeleting] = useState<Project>();
  const [measuring, setMeasuring] = useState<Project>();
  const columns = useColumns({ edit: setEditing, remove: setDeleting, measure: setMeasuring });
  const list = useList(['projects', status], (page) =>
    api().projects.list(status === undefined ? page : { ...page, status }),
  );
  const create = <Button onClick={() => setCreating(true)}>{t('create')}</Button>;
  return (
    <Page title={t('title')} about={t('about')} actions={create}>
      <StatusFilter label={t('status')} statuses={STATUSES} chosen={status} choose={choose} nameOf={t} />
      <DataTable
        label={t('title')}
        list={list}
        columns={columns}
        keyOf={({ id }) => id}
        empty={
          status === undefined ? (
            <EmptyState icon="project" title={t('empty_title')} text={t('empty_text')}>
              {create}
            </EmptyState>
          ) : (
            <EmptyState icon="project" title={t('none_title')} text={t('none_text')} />
          )
        }
      />
      <CreateProject isOpen={isCreating} close={() => setCreating(false)} />
      {measuring !== undefined && <ProjectUsage project={measuring} close={() => setMeasuring(undefined)} />}
      {editing !== undefined && <EditProject project={editing} close={() => setEditing(undefined)} />}
      {deleting !== undefined && <DeleteProject project={deleting} close={() => setDeleting(undefined)} />}
    </Page>
  );
}

function DeleteProject({ project, close }: { project: Project; close: () => void }) {
  const t = useProjectsText();
  const remove = useAction((id: string) => api().projects.delete(id), {
    refreshes: [['projects']],
    says: t('was_deleted', { name: project.name }),
  });
  return (
    <ConfirmDialog
      title={t('delete_title', { name: project.name })}
      text={t('delete_text')}
      submit={t('delete')}
      isOpen
      close={close}
      action={remove}
      input={project.id}
    />
  );
}

type Act = (project: Project) => void;

function useColumns({ edit, remove, measure }: { edit: Act; remove: Act; measure: Act }) {
  const t = useProjectsText();
  const columns: ReadonlyArray<Column<Project>> = [
    {
      title: t('name'),
      show: ({ name, slug }) => (
        <>
          <Text size="sm" fw={500}>
            {name}
          </Text>
          <Text size="xs" c="dimmed">
            {slug}
          </Text>
        </>
      ),
    },
    { title: t('id'), show: ({ id }) => <CopyId id={id} /> },
    {
      title: t('status'),
      show: ({ status }) => <Status tone={status === 'active' ? 'success' : 'idle'}>{t(status)}</Status>,
    },
    { title: t('updated'), show: ({ updated_at: at }) => <Time at={at} /> },
    {
      title: ACTIONS,
      isNumber: true,
      show: (project) => (
        <Group gap={6} justify="flex-end" wrap="nowrap">
          <Button size="compact-xs" variant="default" onClick={() => measure(project)}>
            {t('usage')}
          </Button>
          <Button size="compact-xs" variant="default" onClick={() => edit(project)}>
            {t('edit')}
          </Button>
          <ArchiveButton project={project} />
          <Button size="compact-xs" variant="default" onClick={() => remove(project)}>
            {t('delete')}
          </Button>
        </Group>
      ),
    },
  ];
  return columns;
}

/** Archives a project without confirmation, because the same button undoes it. */
function ArchiveButton({ project: { id, name, status } }: { project: Project }) {
  const t = useProjectsText();
  const isActive = status === 'active';
  const change = useAction((next: Project['status']) => api().projects.update(id, { status: next }), {
    refreshes: [['projects']],
    says: t(isActive ? 'was_archived' : 'was_reactivated', { name }),
  });
  return (
    <Button
      size="compact-xs"
      variant="default"
      loading={change.isPending}
      onClick={() => change.mutate(isActive ? 'archived' : 'active')}
    >
      {t(isActive ? 'archive' : 'reactivate')}
    </Button>
  );
}
