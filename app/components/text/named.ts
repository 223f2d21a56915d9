import { useTranslation } from 'react-i18next';

/** The accessible name of one of many equal buttons or links: 'Edit: Payment screening'. It begins with the words that are seen. */
export function useNamed(): (what: string, name: string) => string {
  const { t } = useTranslation('common');
  return (what, name) => t('named', { what, name });
}

/** A label before its value: 'Use case:'. The colon is the language's. */
export function useLabel(): (label: string) => string {
  const { t } = useTranslation('common');
  return (label) => t('label', { label });
}
