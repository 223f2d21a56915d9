import { useTranslation } from 'react-i18next';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { DescriptionList } from '#app/components/page/description-list.tsx';
import { Section } from '#app/components/page/section.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { CopiedCode } from '#app/components/value/copy/copied.tsx';
import { serviceName } from '#app/features/connections/connect/service-names.ts';
import { CONNECTION_AREAS, isServiceKind } from '#app/features/connections/connection-area.ts';
import type { LoadedConnection } from '#app/features/connections/load-connection.server.ts';

/** Facts about a connection. */
export function ConnectionFacts({ connection }: { connection: LoadedConnection }) {
  const { t } = useTranslation('connections');
  return (
    <Section title={t('page.facts')}>
      <DescriptionList
        items={[
          ...(connection.presence === null ? [] : [{ term: t('a2a.presence'), description: <StatusWord status={connection.presence} /> }]),
          {
            term: t('columns.status'),
            description: (
              <StatusWord status={connection.status === 'connected' && connection.counts.changed > 0 ? 'changed' : connection.status} />
            ),
          },
          {
            term: t('connect.address'),
            description:
              connection.address === null ? t('list.builtin') : <CopiedCode text={connection.address} name={t('connect.address')} />,
          },
          ...(connection.service === null || !isServiceKind(connection.kind)
            ? []
            : [
                {
                  term: t(CONNECTION_AREAS[connection.kind].words.service),
                  description: serviceName(t, connection.kind, connection.service),
                },
              ]),
          { term: t('page.slug'), description: <code>{connection.slug}</code> },
          ...(connection.protocolVersion === null || connection.protocolVersion === ''
            ? []
            : [{ term: t('page.protocolVersion'), description: <bdi>{connection.protocolVersion}</bdi> }]),
          { term: t('limits.fact'), description: <LimitsInWords connection={connection} /> },
          { term: t('connect.token'), description: connection.hasToken ? t('page.tokenStored') : t('page.tokenNone') },
          {
            term: t('columns.lastCheck'),
            description: connection.lastCheckAt === null ? t('list.never') : <RelativeTime at={connection.lastCheckAt} />,
          },
        ]}
      />
    </Section>
  );
}

function LimitsInWords({ connection }: { connection: LoadedConnection }) {
  const { t } = useTranslation('connections');
  const format = useFormats();
  const { atOnce, aMinute } = connection.limits;
  const limits = [
    ...(atOnce === null ? [] : [t('limits.atOnceFact', { calls: format.number(atOnce) })]),
    ...(aMinute === null ? [] : [t('limits.aMinuteFact', { calls: format.number(aMinute) })]),
  ];
  return (
    <>
      {limits.length === 0 ? t('limits.none') : format.list(limits)}
      {connection.inLine === 0 ? null : <span className="block text-muted">{t('limits.inLine', { count: connection.inLine })}</span>}
    </>
  );
}
