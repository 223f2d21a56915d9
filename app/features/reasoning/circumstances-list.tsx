import { useTranslation } from 'react-i18next';
import { DescriptionList } from '#app/components/page/description-list.tsx';
import { useFormats, useLocale } from '#app/components/text/locale-context.tsx';
import { makeFormats } from '#app/domain/web/formats.ts';
import type { LoadedDecision } from '#app/features/reasoning/load-decision.server.ts';

/** The circumstances of a call that the policies were given; nothing for a decision that was made before they were kept. */
export function CircumstancesList({ of }: { of: LoadedDecision['context']['circumstances'] }) {
  const { t } = useTranslation('reasoning');
  const locale = useLocale();
  const { number, money } = useFormats();
  if (of == null) return null;
  const { workflow, agent, host, time } = of;
  return (
    <DescriptionList
      items={[
        { term: t('asked.workflow'), description: <bdi>{workflow.name}</bdi> },
        ...(agent === '' ? [] : [{ term: t('asked.agent'), description: <bdi>{agent}</bdi> }]),
        ...(host === '' ? [] : [{ term: t('asked.host'), description: <bdi>{host}</bdi> }]),
        { term: t('asked.time'), description: <bdi>{makeFormats({ ...locale, timeZone: time.zone }).exactTime(time.at)}</bdi> },
        { term: t('asked.author'), description: of.requesterIsAuthor ? t('asked.yes') : t('asked.no') },
        { term: t('asked.calls'), description: number(of.callsInRun) },
        { term: t('asked.cost'), description: money(of.costInRunMicros) },
        ...(of.approvalsInRun === undefined ? [] : [{ term: t('asked.approvals'), description: number(of.approvalsInRun) }]),
        ...(of.outside === undefined
          ? []
          : [
              {
                term: t('asked.payee'),
                description: of.payee == null ? t('asked.noPayee') : number(of.outside.callsToPayee),
              },
              { term: t('asked.callsToday'), description: number(of.outside.callsToday) },
              { term: t('asked.costToday'), description: money(of.outside.costTodayMicros) },
              { term: t('asked.groups'), description: <bdi>{of.outside.groups.length === 0 ? '–' : of.outside.groups.join(', ')}</bdi> },
            ]),
      ]}
    />
  );
}
