import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { buttonClass } from '#app/components/ui/button.tsx';

/**
 * Links through a list that is paged by key. `url`: the list's own address with its filters; `next`: the last row of this page, put into it
 * as `?after=`. Empty where everything fits on one page.
 */
export function KeyPaging({ url, next }: { url: string; next: string | null }) {
  const { t } = useTranslation('common');
  const [path = '', query = ''] = url.split('?', 2);
  const params = new URLSearchParams(query);
  const isFirst = !params.has('after');
  if (isFirst && next === null) return null;
  const at = (after: string | null) => {
    const wanted = new URLSearchParams(params);
    if (after === null) wanted.delete('after');
    else wanted.set('after', after);
    return wanted.size === 0 ? path : `${path}?${wanted}`;
  };
  return (
    <nav aria-label={t('paging.label')} className="mt-4">
      <ul className="flex justify-end gap-2">
        {isFirst ? null : (
          <li>
            <Link className={buttonClass('secondary', 'small')} to={at(null)}>
              {t('paging.first')}
            </Link>
          </li>
        )}
        {next === null ? null : (
          <li>
            <Link rel="next" className={buttonClass('secondary', 'small')} to={at(next)}>
              {t('paging.next')}
            </Link>
          </li>
        )}
      </ul>
    </nav>
  );
}
