/** Which small documents do the tests of flowing formats read? Made here, so that every word and place in them is known. */
import { zipSync } from 'fflate';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

function zip(entries: Record<string, string>): Uint8Array {
  return zipSync(Object.fromEntries(Object.entries(entries).map(([name, text]) => [name, utf8(text)])), {
    level: 0,
  });
}

/** Cyrillic in windows-1251 and in Unicode, a table with a merged label, a list, a note, hidden and deleted words. */
export const rtfSample =
  utf8(String.raw`{\rtf1\ansi\ansicpg1251\deff0{\fonttbl{\f0\fcharset204 Times New Roman;}{\f1\fcharset2 Symbol;}}
{\stylesheet{\s0 Normal;}{\s1\outlinelevel0 heading 1;}}
{\info{\title \'c4\'ee\'e3\'ee\'e2\'ee\'f0}{\author A. Petrova}{\creatim\yr2023\mo4\dy7}}
{\header\pard Running head\par}
\pard\s1 1. Delivery\par
\pard\plain\f0 \'d1\'f0\'ee\'ea \'ef\'ee\'f1\'f2\'e0\'e2\'ea\'e8 \u8212? ten days{\v  hidden words}{\deleted  deleted words}.{\footnote\pard\plain Calendar days.}\par
{\pard\ls1{\listtext a)\tab}the first item\par}
\trowd\trhdr\cellx2000\cellx4000\pard\intbl Year\cell Sum\cell\row
\trowd\clvmgf\cellx2000\cellx4000\pard\intbl 2023\cell 1 450\cell\row
\trowd\clvmrg\cellx2000\cellx4000\pard\intbl\cell 2 300\cell\row
\pard\plain After the table.{\field{\*\fldinst HYPERLINK "http://example.org"}{\fldrslt  Linked words}}{\pict\pngblip 89504e47}\par
{\f1 a}\par}`);

const odfNames =
  'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:meta="urn:oasis:names:tc:opendocument:xmlns:meta:1.0"';

export const odtSample = zip({
  mimetype: 'application/vnd.oasis.opendocument.text',
  'META-INF/manifest.xml':
    '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>',
  'meta.xml': `<office:document-meta ${odfNames}><office:meta><dc:title>Supply rules</dc:title><dc:creator>Анна Петрова</dc:creator><dc:date>2023-04-07T10:00:00</dc:date><dc:language>ru-RU</dc:language></office:meta></office:document-meta>`,
  'styles.xml': `<office:document-styles ${odfNames}><office:styles><text:outline-style><text:outline-level-style text:level="1" style:num-format="1" style:num-suffix="."/></text:outline-style><text:list-style style:name="L1"><text:list-level-style-number text:level="1" style:num-format="a" style:num-suffix=")"/></text:list-style></office:styles><office:master-styles><style:master-page><style:header><text:p>Running head</text:p></style:header></style:master-page></office:master-styles></office:document-styles>`,
  'content.xml': `<office:document-content ${odfNames}><office:automatic-styles><style:style style:name="T9"><style:text-properties text:display="none"/></style:style><style:style style:name="P1" style:parent-style-name="Title"/></office:automatic-styles><office:body><office:text><text:tracked-changes><text:changed-region><text:deletion><text:p>deleted words</text:p></text:deletion></text:changed-region></text:tracked-changes>
<text:p text:style-name="P1">Supply rules</text:p><text:h text:outline-level="1">Delivery</text:h>
<text:p>Срок поставки <text:span>ten<text:s text:c="2"/>days</text:span><text:span text:style-name="T9"> hidden words</text:span>.<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>Calendar days.</text:p></text:note-body></text:note><office:annotation><dc:creator>B</dc:creator><text:p>Ask the lawyer.</text:p></office:annotation></text:p>
<text:list text:style-name="L1"><text:list-item><text:p>the first item</text:p></text:list-item><text:list-item><text:p>the second item</text:p></text:list-item></text:list>
<table:table><table:table-header-rows><table:table-row><table:table-cell><text:p>Year</text:p></table:table-cell><table:table-cell><text:p>Sum</text:p></table:table-cell></table:table-row></table:table-header-rows><table:table-row><table:table-cell table:number-rows-spanned="2"><text:p>2023</text:p></table:table-cell><table:table-cell><text:p>1 450</text:p></table:table-cell></table:table-row><table:table-row><table:covered-table-cell/><table:table-cell><text:p>2 300</text:p></table:table-cell></table:table-row></table:table>
<text:p><draw:frame><draw:text-box><text:p>Words in a box.</text:p></draw:text-box></draw:frame>After the table.</text:p></office:text></office:body></office:document-content>`,
});

const opf = (extra: string): Record<string, string> => ({
  mimetype: 'application/epub+zip',
  'META-INF/container.xml':
    '<container><rootfiles><rootfile full-path="OEBPS/content.opf"/></rootfiles></container>',
  'OEBPS/content.opf': `<package xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>Winter tales</dc:title><dc:creator>E. Benson</dc:creator><dc:language>en</dc:language><dc:date>2019-08-23</dc:date></metadata><manifest><item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/><item id="two" href="text/two.xhtml" media-type="application/xhtml+xml"/><item id="one" href="text/one.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="one"/><itemref idref="two"/></spine></package>`,
  'OEBPS/nav.xhtml':
    '<html><body><nav><ol><li><a href="text/one.xhtml">First tale</a></li><li><a href="text/two.xhtml#a">Second tale</a></li></ol></nav></body></html>',
  'OEBPS/text/one.xhtml':
    '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body><p><a id="x"/>The snow fell for nine days.</p></body></html>',
  'OEBPS/text/two.xhtml': `<html><body><h1>Ice</h1><p>The lake was <i>frozen</i> &amp; silent.</p></body></html>${extra}`,
});

export const epubSample = zip(opf(''));
export const protectedEpub = zip({
  ...opf(''),
  'META-INF/encryption.xml':
    '<encryption><EncryptedData><EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#aes128-cbc"/><CipherData><CipherReference URI="OEBPS/text/one.xhtml"/></CipherData></EncryptedData></encryption>',
});
export const encryptedOdt = zip({
  mimetype: 'application/vnd.oasis.opendocument.text',
  'META-INF/manifest.xml':
    '<manifest:manifest><manifest:file-entry><manifest:encryption-data/></manifest:file-entry></manifest:manifest>',
  'content.xml': 'scrambled',
});

export const mhtmlSample = utf8(
  [
    'From: <Saved by Blink>',
    'Date: Tue, 4 Apr 2023 10:00:00 +0300',
    'MIME-Version: 1.0',
    'Content-Type: multipart/related; type="text/html"; boundary="--edge"',
    '',
    '----edge',
    'Content-Type: text/html; charset=utf-8',
    'Content-Transfer-Encoding: quoted-printable',
    'Content-Location: https://example.org/page',
    '',
    '<html><head><title>Saved page</title></head><body><p>The notice =',
    'period is =D1=82=D1=80=D0=B8=D0=B4=D1=86=D0=B0=D1=82=D1=8C days.</p><img src=3D"dot.png"></body></html>',
    '----edge',
    'Content-Type: image/png',
    'Content-Transfer-Encoding: base64',
    'Content-Location: https://example.org/dot.png',
    '',
    'iVBORw0KGgo=',
    '----edge--',
    '',
  ].join('\r\n'),
);

export const docbookSample =
  utf8(`<?xml version="1.0"?><!DOCTYPE book PUBLIC "-//OASIS//DTD DocBook XML V4.5//EN" "docbook.dtd" [<!ENTITY secret SYSTEM "file:///etc/passwd"><!ENTITY lol "lollollol">]>
<book><title>Field guide</title><chapter><title>Rivers</title><para>A river &mdash; &lol; &secret; runs to the sea.<footnote><para>Mostly.</para></footnote></para>
<itemizedlist><listitem><para>the Volga</para></listitem></itemizedlist><informaltable><tgroup cols="2"><thead><row><entry>River</entry><entry>Length</entry></row></thead><tbody><row><entry>Volga</entry><entry>3530</entry></row></tbody></tgroup></informaltable><programlisting>
  keep
    this</programlisting></chapter></book>`);

export const notebookSample = utf8(
  JSON.stringify({
    nbformat: 4,
    cells: [
      { cell_type: 'markdown', source: ['# Sales\n', '\n', 'The **mean** of May.'] },
      {
        cell_type: 'code',
        source: 'total = 1450\nprint(total)',
        outputs: [{ output_type: 'stream', text: ['1450\n'] }],
      },
    ],
  }),
);

export const srtSample = utf8(
  '1\r\n00:00:01,000 --> 00:00:03,500\r\n<i>The notice period</i>\r\nis thirty days.\r\n\r\n2\r\n00:00:03,500 --> 00:00:06,000\r\nSo we said in May.\r\n\r\n3\r\n00:01:00,000 --> 00:01:02,000\r\nДоговор подписан.\r\n',
);
