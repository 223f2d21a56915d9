import { useTranslation } from 'react-i18next';
import { DescriptionList } from '#app/components/page/description-list.tsx';
import { Digest } from '#app/components/value/digest.tsx';
import type { LoadedControlChange } from '#app/features/control/load-control-change.server.ts';

type Props = { change: LoadedControlChange };

/** Hosts inside that a workspace reaches, or whom its checkpoints are sent to, before and after. */
export function ReachDifference({ change: { network, checkpoints } }: Props) {
  const { t } = useTranslation('control');
  const side = (at: 'before' | 'after') =>
    checkpoints[at] === null ? <Network entries={network[at]} /> : <Receivers checkpoints={checkpoints[at]} />;
  return (
    <DescriptionList
      items={[
        { term: t('difference.before'), description: side('before') },
        { term: t('difference.after'), description: side('after') },
      ]}
    />
  );
}

function Network({ entries }: { entries: LoadedControlChange['network']['before'] }) {
  const { t } = useTranslation('control');
  if (entries === 'instance') return t('difference.networkAll');
  if (entries === null || entries.length === 0) return t('difference.networkNone');
  return (
    <ul className="grid gap-1">
      {entries.map((entry) => (
        <li key={entry}>
          <code dir="ltr">{entry}</code>
        </li>
      ))}
    </ul>
  );
}

/** The address of a webhook may hold a secret: its host is named, and a digest tells addresses apart. */
function Receivers({ checkpoints: { mail, webhook } }: { checkpoints: NonNullable<LoadedControlChange['checkpoints']['before']> }) {
  const { t } = useTranslation('control');
  return (
    <div className="grid gap-1">
      <span>{t(mail ? 'difference.mailOn' : 'difference.mailOff')}</span>
      {webhook === null ? (
        <span>{t('difference.webhookOff')}</span>
      ) : (
        <span>
          {t('difference.webhookOn')} <code dir="ltr">{webhook.host}</code> <Digest value={webhook.digest} />
        </span>
      )}
    </div>
  );
}

/** The credential of a connection is a secret: its digest tells one from the other. */
export function CredentialDifference({ change: { name, credential } }: Props) {
  const { t } = useTranslation('control');
  const side = (digest: string | null) => (digest === null ? t('difference.noCredential') : <Digest value={digest} />);
  return (
    <DescriptionList
      items={[
        { term: t('difference.connection'), description: <bdi>{name || t('gone')}</bdi> },
        { term: t('difference.before'), description: side(credential.before) },
        { term: t('difference.after'), description: side(credential.after) },
      ]}
    />
  );
}
