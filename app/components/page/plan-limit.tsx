import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { Notice } from '#app/components/page/notice.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';

/** How a page's loader says that the plan's limit is reached. */
export type FullPlan = { what: 'agents' | 'workflows'; limit: number; mayChange: boolean };

/** Says before anything is typed that the plan is full, what to do, and where. */
export function PlanLimit({ full }: { full: FullPlan | null }) {
  const { t } = useTranslation('common');
  const formats = useFormats();
  if (full === null) return null;
  return (
    <div className="mb-6">
      <Notice kind="attention" title={t(`planLimit.${full.what}`, { limit: formats.number(full.limit) })}>
        {full.mayChange ? <Link to={href('/dashboard/admin/billing')}>{t('planLimit.billing')}</Link> : t('planLimit.ask')}
      </Notice>
    </div>
  );
}
