'use strict';
// Draws the report from its embedded data. Text from sources enters the page as
// text, never as markup.
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const byId = id => document.getElementById(id);
  const files = new Map(data.files.map(file => [file.path, file]));
  const checks = new Map(data.checks.map(check => [check.id, check]));

  /** make('a.link', {href}, 'text', node): an element with a class. */
  function make(what, attributes, ...children) {
    const [tag, ...classes] = what.split('.');
    const element = document.createElement(tag);
    if (classes.length) element.className = classes.join(' ');
    for (const [name, value] of Object.entries(attributes || {}))
      if (value !== undefined) element.setAttribute(name, value);
    element.append(...children.filter(child => child !== null && child !== undefined));
    return element;
  }
  /** Lets a long path break after each folder. */
  const breakable = path => path.split(/(?<=\/)/).flatMap((part, i) => i ? [document.createElement('wbr'), part] : [part]);
  const plural = (count, noun) => `${count} ${noun}${count === 1 ? '' : 's'}`;
  const percent = share => `${Math.round(share * 100)} %`;
  const number = value => String(Math.round(value * 100) / 100);

  // Anchors: findings by fingerprint, lines by path and number.
  const findingId = finding => 'f-' + finding.id;
  const lineId = (path, line) => `L:${path}:${line}`;
  const anchor = id => '#' + encodeURIComponent(id);
  const placeText = place => place.line ? `${place.file}:${place.line}` : place.file;

  // ---- Source lines and their costs

  function lineText(file, line) {
    for (const piece of file ? file.pieces : [])
      if (line >= piece.first && line < piece.first + piece.lines.length)
        return piece.lines[line - piece.first];
    return undefined;
  }
  function figuresAt(file, line) {
    if (!file.byLine) file.byLine = new Map(file.figures.map(each => [each.line, each.of]));
    return file.byLine.get(line) || [];
  }
  /** The severity: sectors and ways by their ratio to the ideal; local instructions are always hot. */
  function heat(figure) {
    if (!figure.known) return '';
    if (figure.space === 'local') return 'hot';
    const ratio = figure.value / Math.max(figure.ideal, 1);
    return ratio >= 4 ? 'hot' : ratio >= 1.5 ? 'warm' : 'fine';
  }
  const loss = figure => figure.known ? figure.value / Math.max(figure.ideal, 1) : 0;
  /** One chip per kind of memory, for the worst access of the line. */
  function chips(figures) {
    const result = [];
    for (const space of ['global', 'shared', 'local']) {
      const of = figures.filter(figure => figure.space === space);
      if (!of.length) continue;
      const worst = of.reduce((a, b) => loss(b) > loss(a) ? b : a);
      const sum = of.reduce((total, figure) => total + figure.value, 0);
      // An atomic's cost is not in its sectors: one address for all lanes is one sector.
      const atomic = worst.op === 'atomic';
      const text = !worst.known ? '?'
        : atomic ? 'atomic'
        : space === 'global' ? `${number(worst.value)}/${number(worst.ideal)}`
        : space === 'shared' ? `${number(worst.value)}\u00d7`
        : `${sum} local`;
      result.push(make('span.chip' + (heat(worst) && !atomic ? '.' + heat(worst) : ''), {}, text));
    }
    return result;
  }
  function figureList(figures) {
    return make('ul', {}, ...figures.map(figure => {
      const shown = figure.kernels.slice(0, 3).join('; ');
      const more = figure.kernels.length > 3 ? ` and ${figure.kernels.length - 3} more` : '';
      const access = figure.space === 'local' ? '' : `${figure.space} ${figure.op}${figure.accessed ? ' ' : ''}`;
      return make('li', {}, access, figure.space === 'local' || !figure.accessed ? '' : make('code', {}, figure.accessed),
        (access ? ': ' : '') + figure.words + ' ', make('span', {}, `in ${shown}${more}`));
    }));
  }
  const words = new Set(('alignas auto bool break case char class const constexpr continue default delete do double else enum ' +
    'explicit extern false float for friend goto half if inline int long namespace new nullptr operator private protected public ' +
    'return short signed sizeof static struct switch template this true typename union unsigned using virtual void volatile while').split(' '));
  /** The text of a line, with the colours of C++; a comment of several lines is not followed. */
  function coloured(text) {
    const parts = text.matchAll(/(\/\/.*|\/\*.*?\*\/)|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(^\s*#\s*\w+)|(\b\d[\w.]*)|(\w+)|([^\w"'\/#]+|.)/g);
    return [...parts].map(([whole, comment, string, directive, digits, word]) => {
      const kind = comment ? 'comment' : string ? 'string' : directive ? 'word' : digits ? 'digits'
        : word && (words.has(word) || /^__\w+__$/.test(word)) ? 'word' : '';
      return kind ? make('span.' + kind, {}, whole) : whole;
    });
  }
  function addRow(into, file, line, text, {ids, named, column}) {
    const figures = figuresAt(file, line);
    const row = make('div.row' + (named ? '.named' : ''), {id: ids ? lineId(file.path, line) : undefined});
    const beside = make('span.beside');
    const detail = make('div.detail', {hidden: ''});
    if (figures.length) {
      const button = make('button', {type: 'button', 'aria-expanded': 'false',
        'aria-label': `line ${line}: ${figures.map(figure => figure.words).join('; ')}`}, ...chips(figures));
      button.addEventListener('click', () => {
        if (!detail.childNodes.length) detail.append(figureList(figures));
        detail.hidden = !detail.hidden;
        button.setAttribute('aria-expanded', String(!detail.hidden));
      });
      beside.append(button);
    }
    row.append(make('a.number', {href: anchor(lineId(file.path, line)), tabindex: '-1'}, String(line)), beside,
      make('span.text', {}, ...(text ? coloured(text) : [' '])));
    into.append(row);
    if (column) {
      // As wide as the text before the column; tabs stay tabs.
      const lead = text.slice(0, column - 1).replace(/[^\t]/g, ' ');
      into.append(make('div.row', {'aria-hidden': 'true'}, make('span.number'), make('span.beside'),
        make('span.text', {}, lead, make('span.caret', {}, '^'))));
    }
    if (figures.length) into.append(detail);
  }
  /** The common indentation, which is removed: on a phone it would push the code off the screen. */
  function commonLead(lines) {
    let lead;
    for (const line of lines.filter(line => line.trim())) {
      if (lead === undefined) lead = line.match(/^\s*/)[0];
      while (!line.startsWith(lead)) lead = lead.slice(0, -1);
    }
    return lead || '';
  }
  function snippet(place) {
    const file = files.get(place.file);
    if (!file || lineText(file, place.line) === undefined) return null;
    const code = make('div.code', {tabindex: '0', role: 'group', 'aria-label': 'source'});
    const around = [];
    for (let line = place.line - 3; line <= place.line + 3; ++line)
      if (lineText(file, line) !== undefined) around.push(line);
    const lead = commonLead(around.map(line => lineText(file, line))).length;
    for (const line of around)
      addRow(code, file, line, lineText(file, line).slice(lead),
        {named: line === place.line, column: line === place.line ? Math.max(place.column - lead, 0) : 0});
    return code;
  }
  function placeLink(place, words = placeText(place)) {
    const file = files.get(place.file);
    return file && lineText(file, place.line) !== undefined
      ? make('a', {href: anchor(lineId(place.file, place.line))}, ...breakable(words))
      : make('span', {}, ...breakable(words));
  }

  // ---- Findings

  const severity = finding => finding.verdict === 'refuted' ? 'none'
    : {certain: 'error', likely: 'warning', opinion: 'note'}[finding.level];

  function about(id) {
    const check = checks.get(id);
    if (!check) return null;
    const part = (title, text, tag) => text ? [make('h4', {}, title), make(tag, {}, text)] : [];
    return make('details.about', {}, make('summary', {}, `About ${id}: ${check.summary}`),
      ...part('Why it costs', check.why, 'div.prose'), ...part('Slow', check.slow, 'pre'),
      ...part('Fast', check.fast, 'pre'), ...part('What to do', check.cures, 'div.prose'),
      ...part('When it is not worth it', check.whenNot, 'div.prose'));
  }
  function list(label, texts) {
    return texts.length ? make('div', {}, make('div.label', {}, label), make('ul', {}, ...texts.map(text =>
      make('li', {}, text)))) : null;
  }
  function fill(finding, body) {
    const calls = finding.calls.map(call => make('span', {}, 'called from ', placeLink(call))).reverse();
    body.append(...[
      snippet(finding),
      list('In the compiled code', finding.evidence),
      finding.share === undefined ? null
        : make('div', {}, make('span.label', {}, 'Saves about: '), `${percent(finding.share)} of the kernel's time, ${finding.cost}`),
      list('In the source', finding.notes),
      list('Inlined', calls),
      finding.fix ? make('div', {}, make('span.label', {}, 'Fix: '), finding.fix) : null,
      list(plural(finding.kernels.length, 'kernel'), finding.kernels),
      about(finding.check),
      make('div.foot', {}, make('span', {}, 'In its source: ', placeLink(finding)),
        make('a', {href: anchor(findingId(finding))}, 'Link to this finding')),
    ].filter(Boolean));
  }
  function article(finding) {
    const file = files.get(finding.file);
    const code = file ? lineText(file, finding.line) : undefined;
    const call = finding.calls[finding.calls.length - 1];
    const kernels = finding.kernels.length > 1 ? `${finding.kernels[0]} and ${finding.kernels.length - 1} more`
      : finding.kernels[0];
    const details = make(`details.finding.${severity(finding)}`, {id: findingId(finding)},
      make('summary', {}, make('span.message', {}, finding.message),
        make('div.facts', {}, make(`span.badge.${finding.verdict}`, {}, finding.verdict),
          finding.share === undefined ? null : make('span.share', {title: finding.cost}, percent(finding.share) + ' of the time'),
          make('span.check', {}, finding.check), make('span.place', {}, ...breakable(placeText(finding))),
          make('span.line', {}, finding.line ? `line ${finding.line}` : ''),
          call ? make('span', {}, 'called from ', ...breakable(placeText(call))) : null,
          kernels ? make('span', {}, 'in ', make('code', {}, kernels)) : null,
          make('span', {}, finding.level)),
        code === undefined ? null : make('span.one-line', {}, code.trim())));
    const body = make('div.body');
    details.append(body);
    details.addEventListener('toggle', () => {
      if (details.open && !body.childNodes.length) fill(finding, body);
      nameFold();
    });
    return details;
  }

  const articles = data.findings.map(finding => {
    const file = files.get(finding.file);
    return {finding, element: article(finding), words: [placeText(finding), finding.check, finding.level, finding.verdict,
      finding.message, finding.fix, (file && lineText(file, finding.line)) || '', ...finding.evidence, ...finding.notes,
      ...finding.kernels].join('\n').toLowerCase()};
  });

  /** The group of a finding; with several kernels, the first one decides. */
  const grouping = {
    cost: finding => finding.verdict === 'refuted' ? 'refuted' : finding.share === undefined ? 'without a price' : finding.share >= 0.2 ? 'a fifth of the kernel and more'
      : finding.share >= 0.05 ? 'a twentieth and more' : 'less',
    file: finding => finding.file || 'no file',
    kernel: finding => finding.kernels[0] || 'no kernel',
    check: finding => finding.check,
  };

  // Without a price: as in the text report, among those of a twentieth.
  const price = ({finding}) => finding.verdict === 'refuted' ? -1 : finding.share === undefined ? 0.05 : finding.share;
  const byCost = [...articles].sort((a, b) => price(b) - price(a));

  // ---- Search and filters

  const hidden = {verdict: new Set(), level: new Set()};
  const terms = () => byId('search').value.toLowerCase().split(/\s+/).filter(Boolean);
  const isShown = ({finding, words}, wanted) => !hidden.verdict.has(finding.verdict) &&
    !hidden.level.has(finding.level) && wanted.every(term => words.includes(term));

  function addFilters() {
    for (const kind of ['verdict', 'level'])
      for (const value of new Set(data.findings.map(finding => finding[kind]))) {
        const button = make('button', {type: 'button', 'aria-pressed': 'true'}, value);
        button.addEventListener('click', () => {
          const off = hidden[kind].has(value) ? !hidden[kind].delete(value) : !!hidden[kind].add(value);
          button.setAttribute('aria-pressed', String(!off));
          draw();
        });
        byId('filters').append(button);
      }
  }
  function clearFilters() {
    byId('search').value = '';
    for (const values of Object.values(hidden)) values.clear();
    for (const button of byId('filters').children) button.setAttribute('aria-pressed', 'true');
    draw();
  }

  function draw() {
    const wanted = terms();
    const groups = new Map();
    let shown = 0;
    for (const each of byId('group').value === 'cost' ? byCost : articles) {
      if (!isShown(each, wanted)) continue;
      ++shown;
      const name = grouping[byId('group').value](each.finding);
      if (!groups.has(name)) groups.set(name, []);
      groups.get(name).push(each.element);
    }
    const into = byId('groups');
    into.replaceChildren();
    into.dataset.by = byId('group').value;
    const contents = [];
    for (const [name, elements] of groups) {
      const id = 'g:' + name;
      into.append(make('h3', {id}, ...breakable(name), ' ', make('span', {}, String(elements.length))), ...elements);
      contents.push(make('li', {}, make('a', {href: anchor(id)}, ...breakable(name)), make('span', {}, String(elements.length))));
    }
    if (!shown) into.append(make('p.legend', {}, data.findings.length ? 'Nothing found; Esc in the search shows all again.'
      : data.closing));
    const part = (id, title) => byId(id).hidden ? [] : [make('li.part', {}, make('a', {href: '#' + id}, title))];
    byId('toc').replaceChildren(...part('kernels', 'Kernels'), ...part('findings', 'Findings'), ...contents,
      ...part('sources', 'Sources'), ...part('asides', 'Not read, and notes'));
    byId('count').textContent = shown === data.findings.length ? plural(shown, 'finding')
      : `${shown} of ${plural(data.findings.length, 'finding')}`;
    drawKernels(wanted);
    nameFold();
  }

  // ---- Resources of kernels

  const sorting = {by: 'cycles', down: true};
  const findingsOf = new Map();
  for (const finding of data.findings)
    for (const kernel of finding.kernels) findingsOf.set(kernel, (findingsOf.get(kernel) || 0) + 1);
  const rows = data.resources.kernels.map(row => ({...row, findings: findingsOf.get(row.kernel) || 0,
    explained: row.explained === undefined ? undefined : Math.round(row.explained * 100)}));
  // An engineer asks for these first; the parts of the stack frame come last.
  const first = ['cycles', 'occupancy', 'registers'];
  const measure = name => data.resources.measures.filter(each => each.name === name);
  const columns = [{name: 'arch', heading: 'arch', words: true}, ...measure('cycles'),
    {name: 'bound', heading: 'bound by', words: true}, {name: 'explained', heading: 'explained by findings'},
    {name: 'findings', heading: 'findings'}, ...measure('occupancy'), ...measure('registers'),
    ...data.resources.measures.filter(each => !first.includes(each.name))].filter(column => rows.some(row => row[column.name])); // omit columns of zeros
  const isBad = (name, value) => value > 0 && ['spillStores', 'spillLoads', 'spills', 'findings'].includes(name);

  function drawKernels(wanted) {
    if (byId('kernels').hidden) return;
    let shown = rows.filter(row => wanted.every(term =>
      `${row.kernel}\n${row.signature}\n${row.arch}\n${placeText(row)}`.toLowerCase().includes(term)));
    if (sorting.by) {
      const key = row => row[sorting.by] === undefined ? -1 : row[sorting.by];
      const order = (a, b) => typeof key(a) === 'string' ? key(a).localeCompare(key(b)) : key(a) - key(b);
      shown = [...shown].sort((a, b) => sorting.down ? order(b, a) : order(a, b));
    }
    const heading = column => {
      const button = make('button', {type: 'button', 'data-column': column.name}, column.heading);
      button.addEventListener('click', () => {
        sorting.down = sorting.by === column.name ? !sorting.down : !column.words;
        sorting.by = column.name;
        drawKernels(terms());
        byId('resources').querySelector(`[data-column="${column.name}"]`).focus();
      });
      return make('th' + (column.words ? '.words' : ''), {scope: 'col', 'aria-sort': sorting.by !== column.name ? undefined
        : sorting.down ? 'descending' : 'ascending'}, button);
    };
    const all = [{name: 'kernel', heading: 'kernel', words: true}, ...columns];
    const cell = (row, column) => {
      const value = row[column.name];
      return make('td' + (column.words ? '.words' : isBad(column.name, value) ? '.hot' : value ? '' : '.zero'), {},
        value === undefined ? '' : String(value) + (['occupancy', 'explained'].includes(column.name) ? '%' : ''));
    };
    const kernel = row => make('td.words.kernel', {title: placeText(row)}, row.kernel, make('span.place', {}, placeLink(row, placeText(row).split('/').pop())));
    byId('resources').replaceChildren(shown.length ? make('div.table', {tabindex: '0', role: 'group', 'aria-label': 'kernels'},
      make('table', {}, make('thead', {}, make('tr', {}, ...all.map(heading))),
        make('tbody', {}, ...shown.map(row => make('tr', {}, kernel(row), ...columns.map(column => cell(row, column)))))))
      : make('p.legend', {}, 'No kernel found.'));
  }

  // ---- Sources

  function fillSource(file, details) {
    if (details.childElementCount > 1) return;
    const named = new Set(data.findings.filter(finding => finding.file === file.path).map(finding => finding.line));
    const code = make('div.code', {tabindex: '0', role: 'group', 'aria-label': file.path});
    let next = 1;
    const gap = until => {
      if (until > next) code.append(make('div.gap', {}, plural(until - next, 'line') + ' not shown'));
    };
    for (const piece of file.pieces) {
      gap(piece.first);
      piece.lines.forEach((text, i) => addRow(code, file, piece.first + i, text, {ids: true, named: named.has(piece.first + i)}));
      next = piece.first + piece.lines.length;
    }
    gap(file.count + 1);
    details.append(code);
  }
  function addSources() {
    for (const file of data.files) {
      const findings = data.findings.filter(finding => finding.file === file.path).length;
      const details = make('details.source', {id: 's:' + file.path}, make('summary', {}, ...breakable(file.path), ' ',
        make('span', {}, findings ? plural(findings, 'finding') : '')));
      details.addEventListener('toggle', () => details.open && fillSource(file, details));
      file.details = details;
      byId('files').append(details);
    }
    byId('legend').append('Next to a line: ', make('span.chip.hot', {}, '32/4'),
      ' sectors that a request of a warp moves, and how many suffice; ', make('span.chip.hot', {}, '8\u00d7'),
      ' ways of a bank conflict in shared memory; ', make('span.chip.hot', {}, '4 local'),
      ' instructions on local memory; ', make('span.chip', {}, '?'), ' unknown. Click one for details.');
  }

  // ---- Links

  function showTarget() {
    const id = decodeURIComponent(location.hash.slice(1));
    for (const old of document.querySelectorAll('.target')) old.classList.remove('target');
    byId('gone').hidden = true;
    if (!id) return;
    if (id.startsWith('f-')) {
      const each = articles.find(({finding}) => findingId(finding) === id);
      if (!each) {
        byId('gone').textContent = `The finding ${id.slice(2)} is not in this report: it is gone, or its line has changed.`;
        byId('gone').hidden = false;
        return;
      }
      if (!each.element.isConnected) clearFilters();
      if (!each.element.open) {
        each.element.open = true;
        if (!each.element.lastChild.childNodes.length) fill(each.finding, each.element.lastChild);
      }
    } else if (id.startsWith('L:')) {
      const file = files.get(id.slice(2, id.lastIndexOf(':')));
      if (!file) return;
      file.details.open = true;
      fillSource(file, file.details);
    }
    const element = byId(id);
    if (!element) return;
    element.classList.add('target');
    // A row has no box of its own; scroll to its text.
    (element.querySelector(':scope > .text, :scope > summary') || element).scrollIntoView({block: 'center'});
    const focus = element.querySelector(':scope > summary');
    if (focus) focus.focus({preventScroll: true});
  }

  // ---- Folding and keys

  const shownArticles = () => [...document.querySelectorAll('#groups > .finding')];
  const anyOpen = () => shownArticles().some(element => element.open);
  function nameFold() { byId('fold').textContent = anyOpen() ? 'Fold all' : 'Unfold all'; }
  function foldAll() {
    const open = !anyOpen();
    for (const element of shownArticles()) element.open = open;
    nameFold();
  }
  function step(by) {
    const all = shownArticles();
    const at = all.findIndex(element => element.contains(document.activeElement));
    const next = all[at < 0 ? (by > 0 ? 0 : all.length - 1) : Math.min(Math.max(at + by, 0), all.length - 1)];
    if (!next) return;
    next.firstChild.focus({preventScroll: true});
    next.scrollIntoView({block: 'center'});
  }
  const keys = {
    '/': () => byId('search').focus(),
    j: () => step(1), k: () => step(-1), e: foldAll,
    '?': () => byId('help').showModal(),
  };
  document.addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey || byId('help').open) return;
    if (event.target === byId('search')) {
      if (event.key === 'Escape') {
        byId('search').value = '';
        byId('search').blur();
        draw();
      } else if (event.key === 'Enter') {
        event.preventDefault();
        step(1);
      }
      return;
    }
    if (event.target instanceof HTMLSelectElement || !keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  });

  // ---- Start

  byId('closing').textContent = data.closing;
  byId('made').textContent = `warplint ${data.version}`;
  byId('tools').addEventListener('submit', event => event.preventDefault());
  byId('search').addEventListener('input', draw);
  byId('group').addEventListener('change', draw);
  byId('fold').addEventListener('click', foldAll);
  byId('keys').addEventListener('click', keys['?']);
  byId('contents').open = matchMedia('(min-width: 60rem)').matches;
  byId('kernels').hidden = !rows.length;
  byId('sources').hidden = !data.files.length;
  const notes = [...data.unread, ...data.notes];
  byId('asides').hidden = !notes.length;
  byId('notes').append(...notes.map(note => make('li', {}, note)));
  addFilters();
  addSources();
  draw();
  window.addEventListener('hashchange', showTarget);
  showTarget();
})();
