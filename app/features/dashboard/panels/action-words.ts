import { useTranslation } from 'react-i18next';
import { runtimeText } from '#app/components/text/runtime-text.ts';

/** Words for the actions of the log. Needs the namespace audit. */
export function useActionWords(): (action: string) => string {
  const { i18n } = useTranslation('audit');
  return (action) =>
    runtimeText(i18n, 'audit', `actions.${action.replace(/[._-](\w)/g, (_, letter: string) => letter.toUpperCase())}`) ?? action;
}
