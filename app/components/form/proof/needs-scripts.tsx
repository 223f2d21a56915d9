import { useTranslation } from 'react-i18next';

/**
 * Says that a passkey needs scripts, where the browser runs none. A `<noscript>` would do for the eye, but a reader of the parsed page that
 * counts its contents as text would read its markup. Needs the namespace common.
 */
export function NeedsScripts() {
  const { t } = useTranslation('common');
  return <p className="hidden text-sm text-muted noscript:block">{t('passkey.noScripts')}</p>;
}
