import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { buttonClass } from '#app/components/ui/button.tsx';

/** `url` is the list's own path with its filters; the page is set in it as `?page=`. Pages count from 1. */
export function Paging({ page, pageCount, url }: { page: number; pageCount: number; url: string }) {
  const { t } = useTranslation('common');
  if (pageCount <= 1) return null;
  return (
    <nav aria-label={t('paging.label')} className="mt-4 flex flex-wrap items-center justify-between gap-3">
      <p className="text-sm text-muted">{t('paging.position', { page, pageCount })}</p>
      <ul className="flex gap-2">
        {page > 1 ? (
          <li>
            <Link rel="prev" className={buttonClass('secondary', 'small')} to={pageUrl(url, page - 1)}>
              {t('paging.previous')}
            </Link>
          </li>
        ) : null}
        {page < pageCount ? (
          <li>
            <Link rel="next" className={buttonClass('secondary', 'small')} to={pageUrl(url, page + 1)}>
              {t('paging.next')}
            </Link>
          </li>
        ) : null}
      </ul>
    </nav>
  );
}

function pageUrl(url: string, page: number): string {
  const [path = '', query = ''] = url.split('?', 2);
  const params = new URLSearchParams(query);
  if (page === 1) params.delete('page');
  else params.set('page', String(page));
  const text = params.toString();
  return text === '' ? path : `${path}?${text}`;
}
