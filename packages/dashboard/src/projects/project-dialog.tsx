import { TextInput } from '@mantine/core';
import type { Project } from '@seathold/client';
import { api } from '../api/index.ts';
import { FormDialog, useAction } from '../ui/index.ts';
import { useProjectsText } from './messages.ts';

interface Fields {
  name: string;
  slug: string;
  description: string | null;
}

/** The dialog that creates a project. */
export function CreateProject({ isOpen, close }: { isOpen: boolean; close: () => void }) {
  const t = useProjectsText();
  const create = useAction(
    ({ name, slug, description }: Fields) =>
      api().projects.create({ name, description, ...(slug === '' ? {} : { slug }) }),
    { refreshes: [['projects']], says: (_, { name }) => t('was_created', { name }) },
  );
  return (
    <FormDialog
      title={t('create')}
      isOpen={isOpen}
      close={close}
      submit={t('create')}
      action={create}
      read={readProject}
    >
      <ProjectFields />
    </FormDialog>
  );
}

/** The dialog that changes a project. */
export function EditProject({ project, close }: { project: Project; close: () => void }) {
  const t = useProjectsText();
  const change = useAction(
    ({ name, slug, description }: Fields) =>
      api().projects.update(project.id, { name, description, ...(slug === '' ? {} : { slug }) }),
    { refreshes: [['projects']] },
  );
  return (
    <FormDialog
      title={t('edit_title', { name: project.name })}
      isOpen
      close={close}
      submit={t('save')}
      action={change}
      read={readProject}
    >
      <ProjectFields project={project} />
    </FormDialog>
  );
}

function ProjectFields({ project }: { project?: Project }) {
  const t = useProjectsText();
  return (
    <>
      <TextInput label={t('name')} name="name" defaultValue={project?.name} maxLength={100} required data-autofocus />
      <TextInput
        label={t('slug')}
        description={project === undefined ? t('slug_hint') : undefined}
        name="slug"
        defaultValue={project?.slug}
        maxLength={64}
        required={project !== undefined}
      />
      <TextInput
        label={t('description')}
        name="description"
        defaultValue={project?.description ?? ''}
        maxLength={1000}
      />
    </>
  );
}

function readProject(form: FormData): Fields {
  const textOf = (name: string) => String(form.get(name)).trim();
  const description = textOf('description');
  return { name: textOf('name'), slug: textOf('slug'), description: description === '' ? null : description };
}
