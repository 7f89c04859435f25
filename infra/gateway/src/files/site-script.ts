import { PAGE_MAX_LENGTH } from "@tapthru/proto/clicks/keys";
import { go } from "@tapthru/proto/patterns";
import { SITE_LINK } from "@tapthru/proto/rules/amazon/hosts";
import { smallPageHtml } from "@tapthru/proto/rules/pages/small-page";

const siteLink = `/${SITE_LINK.source}/i`;

/**
 * The script of other sites. A browser follows a link after all handlers of the click, so that it has the other address for just that
 * time. The page's own handlers still decide whether it is followed. Without the pattern, as in a joined file, nothing changes.
 */
export const SITE_SCRIPT = `{
const {src,dataset}=document.currentScript,store=${siteLink};
const turn=({button,target})=>{
const link=dataset.pattern&&button<2&&target.closest?.("a,area");
if(!link||!store.test(link.href))return;
const written=link.getAttribute("href"),page=(location.host+location.pathname).slice(0,${PAGE_MAX_LENGTH});
link.href=new URL("${go.path}?"+new URLSearchParams({p:dataset.pattern,page,url:link.href}),src);
setTimeout(()=>link.setAttribute("href",written));
};
for(const name of["click","auxclick"])addEventListener(name,turn,true);
}
`;

/** Lists the links of a page that the browser fetched, or that was pasted. Nothing of that page runs, and it is sent nowhere. */
export const PREVIEW_SCRIPT = `{
const byId=(id)=>document.getElementById(id);
const show=(html)=>{
const {links}=new DOMParser().parseFromString(html,"text/html");
const byAddress=new Map([...links].map((link)=>[link.href,link.textContent.trim()||"A picture"]));
const turned=[...byAddress].filter(([address])=>${siteLink}.test(address));
byId("result").textContent="Amazon links that the script changes: "+turned.length+". Links that stay as they are: "+(byAddress.size-turned.length)+".";
byId("found").replaceChildren(...turned.map(([address,text])=>Object.assign(document.createElement("li"),{textContent:text+": "+address})));
};
byId("form").addEventListener("submit",async(event)=>{
event.preventDefault();
try{
const reply=await fetch(byId("address").value,{credentials:"omit",referrerPolicy:"no-referrer"});
if(!reply.ok)throw reply;
show(await reply.text());
}catch{
byId("result").textContent="Your browser could not read this page from here. Most sites do not allow it. Please copy and paste the page.";
byId("found").replaceChildren();
}
});
byId("pasted").addEventListener("paste",({clipboardData:data})=>show(data.getData("text/html")+data.getData("text/plain")));
}
`;

export function previewPageHtml(productName: string): string {
  return smallPageHtml(
    "One script for your site",
    productName,
    `<p>With the script of a link pattern on your site, a tap on an Amazon link opens it as one of your short links. The link itself stays as it is. See here which links of a page this changes.</p>
<form id="form">
<p><label for="address">Address of a page of your site</label><br><input id="address" type="url" required> <button>Show</button></p>
</form>
<p><label for="pasted">Or open the page, select all, copy, and paste it here</label><br><textarea id="pasted"></textarea></p>
<p id="result" role="status"></p>
<ul id="found"></ul>
<script src="/site-preview.js"></script>`,
  );
}
