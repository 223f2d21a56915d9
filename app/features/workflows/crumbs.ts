import { useTranslation } from 'react-i18next';
import { href } from 'react-router';

/** The way to a screen of the area: to a workflow's, and to one of its editor. */
export function useCrumbs(draft?: { id: string; name: string }, editor = false) {
  const { t } = useTranslation('workflows');
  return [
    { label: t('list.title'), to: href('/dashboard/workflows') },
    ...(draft === undefined ? [] : [{ label: draft.name, to: href('/dashboard/workflows/:workflow', { workflow: draft.id }) }]),
    ...(draft === undefined || !editor
      ? []
      : [{ label: t('editor.crumb'), to: href('/dashboard/workflows/:workflow/edit', { workflow: draft.id }) }]),
  ];
}
