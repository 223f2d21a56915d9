import { SearchForm } from '#app/components/data/search-form.tsx';

/** The search of a list, beside the filters and the order that are set. `url`: the list's address with them. */
export function ListSearch({ url, label, submit }: { url: string; label: string; submit: string }) {
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
