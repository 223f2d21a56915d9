import { useTranslation } from 'react-i18next';
import { useAskedText } from '#app/components/value/asked-text.ts';
import type { Asked } from '#app/domain/runs/subject/asked-text.ts';

type Titled = { title: string; asked: Asked | null; subjectKind: 'step' | 'outcome' | 'release' };

/** What an approval is called, in a list and on its own page: what it would do, or else the name of its step. */
export function useApprovalTitle(): (approval: Titled) => string {
  const { t } = useTranslation('approvals');
  const said = useAskedText();
  return ({ title, asked, subjectKind }) => {
    if (subjectKind === 'release') return t('release.title');
    return subjectKind === 'outcome' ? t('outcome.title', { title }) : said(asked, title);
  };
}
