import { useTranslation } from 'react-i18next';
import { runtimeText } from '#app/components/text/runtime-text.ts';

/** `workflow.draft_saved` → `workflowDraftSaved`: the key of an action's words. */
function actionKey(action: string): string {
  return action.replace(/[._-]+(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Words of an action of the log; one from a newer version is shown as it is. Needs the namespace actions. */
export function useActionWords(): (action: string) => string {
  const { i18n } = useTranslation('actions');
  return (action) => runtimeText(i18n, 'actions', actionKey(action)) ?? action;
}
