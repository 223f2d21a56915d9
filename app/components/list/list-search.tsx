import { SearchForm } from '#app/components/data/search-form.tsx';
import { isNarrowed, pathOf } from '#app/domain/web/list-address.ts';

/** `url`: the list's address with its filters and its order; `rows`: how many it shows; `whole`: its address without filters. */
type Props = { url: string; rows: number; label: string; submit: string; whole?: string };

/** The search of a list, beside the filters and the order that are set. Not there where nothing could be found. */
export function ListSearch({ url, rows, label, submit, whole = pathOf(url) }: Props) {
  if (rows === 0 && !isNarrowed(url, whole)) return null;
  const [path = '', query = ''] = url.split('?', 2);
  const params = new URLSearchParams(query);
  const words = params.get('q') ?? '';
  params.delete('q');
  return (
    <SearchForm action={path} words={words} label={label} placeholder={label} submit={submit}>
      {[...params].map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
    </SearchForm>
  );
}
