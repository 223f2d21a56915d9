import type { TFunction } from 'i18next';

/** The name of an approval, in a list and on its own page. */
export function approvalTitle(
  { title, subjectKind }: { title: string; subjectKind: 'step' | 'outcome' | 'release' },
  t: TFunction<'approvals'>,
): string {
  if (subjectKind === 'release') return t('release.title');
  return subjectKind === 'outcome' ? t('outcome.title', { title }) : title;
}
