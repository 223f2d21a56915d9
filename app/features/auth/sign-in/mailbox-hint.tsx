import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';

/** On one's own machine no mail is sent: this says where to read it. */
export function MailboxHint() {
  const { t } = useTranslation('auth');
  return (
    <p className="rounded-md border border-line bg-surface px-4 py-3 text-sm">
      {t('mailboxHint')}{' '}
      <Link to={href('/dev/mailbox')} className="text-link">
        {t('openMailbox')}
      </Link>
    </p>
  );
}
