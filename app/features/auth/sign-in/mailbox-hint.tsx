import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

/** On a machine of one's own no mail leaves: it says where to read it. */
export function MailboxHint() {
  const { t } = useTranslation('auth');
  return (
    <p className="rounded-md border border-line bg-surface px-4 py-3 text-sm">
      {t('mailboxHint')}{' '}
      <Link to="/dev/mailbox" className="text-link">
        {t('openMailbox')}
      </Link>
    </p>
  );
}
