-- contract: unused since 0021
-- With its trigger.
DROP FUNCTION record_claimed_link_for_clicks CASCADE;
DROP TABLE click_link_changes, click_moves;
