-- contract: unused since 0064
-- The tag of a link is its own or its channel's, and labels have no channels.
DROP TRIGGER links_use_pool_tag ON links;
DROP TRIGGER links_change_pool_tag ON links;
DROP TRIGGER links_keep_channel_of_pool_tag ON links;
DROP FUNCTION change_pool_tag, use_pool_tags, keep_channel_of_pool_tag;
DROP TABLE pool_tags;

DROP TRIGGER link_labels_give_channel ON link_labels;
DROP FUNCTION give_channel_of_label;
CREATE OR REPLACE TRIGGER labels_record_change AFTER INSERT OR UPDATE OR DELETE ON labels FOR EACH ROW
  WHEN (pg_trigger_depth() = 0 AND current_setting('tapthru.actor', true) <> '')
  EXECUTE FUNCTION record_change('label', 'id', 'name', 'user_id', 'name,colour', '');
ALTER TABLE labels DROP channel_id;
